// What VS Code asks of @vscode/spdlog, in JavaScript: the log files behind the Output panel. Copied into the editor's install.
const fs = require("node:fs");
const path = require("node:path");

const LEVELS = ["trace", "debug", "info", "warning", "error", "critical", "off"];

class Logger {
  constructor(_kind, _name, file) {
    this.file = file;
    this.level = 2;
    this.raw = false;
    if (file) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.appendFileSync(file, "");
    }
  }
  write(level, message) {
    if (level < this.level || !this.file) return;
    const time = new Date().toISOString().replace("T", " ").replace("Z", "");
    fs.appendFileSync(this.file, this.raw ? message : `${time} [${LEVELS[level]}] ${message}\n`);
  }
  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {
    /* The pattern is fixed. */
  }
  clearFormatters() {
    this.raw = true;
  }
  flush() {
    /* Every line is written at once. */
  }
  drop() {
    this.file = undefined;
  }
}

exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.createRotatingLogger = async (name, file) => new Logger("rotating", name, file);
exports.createAsyncRotatingLogger = async (name, file) => new Logger("rotating", name, file);
