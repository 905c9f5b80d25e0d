// The VS Code workbench as a person uses it, driven by Playwright. Every wait looks for something; nothing sleeps for luck.
import { existsSync, writeFileSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  type Frame,
  type Locator,
  type Page,
  chromium as playwright,
} from "playwright-core";
import { chromium } from "./setup.ts";

const BROWSERS = [
  process.env.CHROMIUM_PATH,
  chromium,
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
];

/** Starts Chromium; it resolves no name and reaches nothing but the loopback. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = BROWSERS.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined)
    throw new Error("no Chromium: run `node test/editor/setup.ts` or set CHROMIUM_PATH");
  return playwright.launch({
    executablePath,
    headless: true,
    args: [
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      "--disable-dev-shm-usage",
      "--font-render-hinting=none",
    ],
  });
}

/** The text of an element, empty where there is none; layout leaves no line ends in it. */
export async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? "";
}

const quoted = (text: string) => text.replace(/["\\]/g, "\\$&");
const exactly = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
const fileName = (path: string) => path.split("/").pop() ?? path;

export type Squiggle = "error" | "warning" | "info" | "hint";

export class Workbench {
  readonly page: Page;
  /** Errors of the workbench's own scripts. */
  readonly errors: string[] = [];
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    page.setDefaultTimeout(20_000);
    page.on("pageerror", (error) => this.errors.push(String(error)));
    // A dirty editor asks before the page goes; nothing may hang on that.
    page.on("dialog", (dialog) => void dialog.accept());
  }

  /** Opens the address and waits for the workbench with its folder. */
  static async open(browser: Browser, url: string, size = { width: 1280, height: 800 }): Promise<Workbench> {
    const context = await browser.newContext({ viewport: size, locale: "en-US" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const workbench = new Workbench(context, await context.newPage());
    await workbench.page.goto(url, { waitUntil: "domcontentloaded" });
    await workbench.#ready();
    return workbench;
  }

  /** Loads the window again, as "Reload Window" does. */
  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: "domcontentloaded" });
    await this.#ready();
  }

  async #ready(): Promise<void> {
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: 60_000 });
    const files = this.page.locator(".explorer-folders-view .monaco-list-row, .monaco-workbench.nosidebar");
    await files.first().waitFor({ timeout: 60_000 });
  }

  async close(): Promise<void> {
    await this.#context.close();
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  // ---- quick input ---------------------------------------------------------------------------------------------

  get quickInput(): Locator {
    return this.page.locator(".quick-input-widget:visible");
  }

  quickInputRow(label: string): Locator {
    return this.quickInput.locator(".monaco-list-row").filter({ hasText: label }).first();
  }

  /** Runs a command by its label in the palette, which knows an extension's only when it is opened after it came up. */
  async command(label: string): Promise<void> {
    const name = this.page.locator(".label-name", { hasText: exactly(label) });
    const row = this.quickInput.locator(".monaco-list-row").filter({ has: name }).first();
    for (let attempt = 0; ; attempt++) {
      await this.#openQuickInput("F1");
      try {
        await this.quickInput.locator("input").first().fill(`>${label}`, { timeout: 5_000 });
        await row.click({ timeout: 5_000 });
        return;
      } catch (error) {
        if (attempt === 3) throw error;
        await this.press("Escape");
      }
    }
  }

  /** Runs a command that asks for something, and picks the row. A web view that takes the focus closes such a box: again. */
  async commandAndPick(label: string, row: string): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      await this.command(label);
      try {
        await this.quickInputRow(row).click({ timeout: 8_000 });
        return;
      } catch (error) {
        if (attempt === 2) throw error;
        await this.press("Escape");
      }
    }
  }

  /** Types a path into the file dialog, which is a quick input too: it is there when a folder stands in the box. */
  async enterPath(path: string): Promise<void> {
    const input = this.quickInput.locator("input").first();
    const row = this.quickInputRow(fileName(path));
    // While it reads a folder the dialog still writes into its own box, and takes no Enter.
    for (let attempt = 0; attempt < 10; attempt++) {
      while (!(await input.inputValue()).startsWith("/")) await this.page.waitForTimeout(50);
      await input.fill(path);
      await this.page.waitForTimeout(200);
      if ((await input.inputValue()) !== path || !(await row.isVisible())) continue;
      await this.press("Enter");
      const closed = this.quickInput.waitFor({ state: "hidden", timeout: 3000 });
      if (await closed.then(() => true).catch(() => false)) return;
    }
    throw new Error(`the file dialog does not take ${path}`);
  }

  /** Types a path into the save dialog and saves; a file that is there already is replaced. */
  async savePath(path: string): Promise<void> {
    const input = this.quickInput.locator("input").first();
    for (let attempt = 0; attempt < 10; attempt++) {
      while (!(await input.inputValue()).startsWith("/")) await this.page.waitForTimeout(50);
      await input.fill(path);
      await this.page.waitForTimeout(200);
      if ((await input.inputValue()) !== path) continue;
      await this.press("Enter");
      const closed = this.quickInput.waitFor({ state: "hidden", timeout: 3000 });
      if (await closed.then(() => true).catch(() => false)) return;
    }
    throw new Error(`the save dialog does not take ${path}`);
  }

  /** What the terminal shows, where it is drawn without a GPU. */
  async terminalText(): Promise<string> {
    const rows = await this.page.locator(".terminal-wrapper.active .xterm-rows").allInnerTexts();
    return rows.join("\n").replaceAll("\u00a0", " ");
  }

  /** Opens a file of the workspace; the cursor is in it afterwards. */
  async openFile(path: string): Promise<void> {
    await this.#openQuickInput("Control+P");
    await this.quickInput.locator("input").first().fill(path);
    await this.quickInputRow(fileName(path)).click();
    await this.quickInput.waitFor({ state: "hidden" });
    await this.tab(fileName(path)).waitFor();
    await this.editor(path).waitFor();
  }

  /** The key can be lost while a web view has the focus or before keys are bound: again until the box shows. */
  async #openQuickInput(key: string): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt++) {
      await this.press(key);
      try {
        await this.quickInput.waitFor({ timeout: 2000 });
        return;
      } catch {
        await this.page.locator(".part.titlebar").click({ position: { x: 300, y: 10 } });
      }
    }
    throw new Error(`${key} opens no quick input`);
  }

  // ---- editors -------------------------------------------------------------------------------------------------

  tab(name: string): Locator {
    return this.page.locator(`.tabs-container .tab[data-resource-name="${quoted(name)}"]`).first();
  }

  editor(path: string): Locator {
    return this.page.locator(`.editor-instance .monaco-editor[data-uri$="${quoted(path)}"]`).first();
  }

  /** The lines on screen, from top to bottom. */
  async visibleText(path: string): Promise<string> {
    const lines = await this.editor(path)
      .locator(".view-line")
      .evaluateAll((elements) =>
        elements
          .map((element) => ({ top: element.getBoundingClientRect().top, text: element.textContent ?? "" }))
          .sort((a, b) => a.top - b.top)
          .map(({ text }) => text.replaceAll("\u00a0", " ")),
      );
    return lines.join("\n");
  }

  /** Puts the cursor into the editor, 1-based, with the keyboard. */
  async goTo(path: string, line: number, column: number): Promise<void> {
    await this.focus(path);
    await this.#openQuickInput("Control+G");
    await this.quickInput.locator("input").first().fill(`:${line}:${column}`);
    await this.press("Enter");
    await this.quickInput.waitFor({ state: "hidden" });
    // It gives the focus back after it is gone; keys in between go nowhere.
    await this.#focusInEditor();
  }

  /**
   * Puts the focus into the file, which must be the active one of the first group. With keys: a click would have Playwright
   * scroll the text into view, which takes the workbench's layout apart.
   */
  async focus(path: string): Promise<void> {
    await this.press("Control+1");
    await this.editor(path).waitFor();
    await this.#focusInEditor();
  }

  async #focusInEditor(): Promise<void> {
    await this.page.waitForFunction(
      'document.activeElement?.closest(".monaco-editor") != null && document.activeElement.closest(".quick-input-widget") === null',
    );
  }

  /** Saves; waits for the dirty mark first, since saving a clean document is a silent no-op. */
  async save(path: string): Promise<void> {
    const dirty = this.page.locator(`.tabs-container .tab.dirty[data-resource-name="${quoted(fileName(path))}"]`);
    await dirty.waitFor();
    await this.press("Control+S");
    await dirty.waitFor({ state: "detached" });
  }

  squiggles(path: string, kind: Squiggle): Locator {
    return this.editor(path).locator(`.squiggly-${kind}`);
  }

  codeLenses(path: string): Locator {
    return this.editor(path).locator(".codelens-decoration a, .codelens-decoration span").filter({ hasText: /\S/ });
  }

  // ---- quick fixes ---------------------------------------------------------------------------------------------

  /** The editor's own bulb; rows of the Problems panel have one too. */
  lightbulb(path: string): Locator {
    return this.editor(path)
      .locator('.lightBulbWidget, .glyph-margin-widgets [class*="codicon-gutter-lightbulb"]')
      .filter({ visible: true })
      .first();
  }

  get actionMenu(): Locator {
    return this.page.locator(".action-widget:not(.action-list-submenu-panel)");
  }

  /** The titles that the light bulb offers at the cursor's place (1-based), opened with the keyboard; left open. */
  async openQuickFixes(path: string, line: number, column: number): Promise<readonly string[]> {
    const rows = this.actionMenu.locator(".monaco-list-row.action").filter({ visible: true });
    for (let attempt = 0; attempt < 5; attempt++) {
      // Only a cursor that moves asks for a bulb.
      await this.goTo(path, 1, 1);
      await this.goTo(path, line, column);
      try {
        // A cursor move asks for actions in the background, and its late answer closes a menu opened before: bulb first.
        await this.lightbulb(path).waitFor({ timeout: 4000 });
        await this.press("Control+.");
        await rows.first().waitFor({ timeout: 4000 });
        return await rows.allInnerTexts();
      } catch {
        await this.press("Escape");
      }
    }
    throw new Error(`no quick fix at ${path}:${line}:${column}`);
  }

  /**
   * A title of the menu of quick fixes that came up by itself; asked for again where a late answer of the editor, which
   * looks for fixes after each move of the cursor, has closed it.
   */
  async offeredFix(title: string): Promise<Locator> {
    const entry = this.actionMenu.getByText(title).first();
    for (let attempt = 0; attempt < 4; attempt++) {
      if (
        await entry.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        )
      )
        return entry;
      await this.press("Control+.");
    }
    throw new Error(`no quick fix ${title} is offered`);
  }

  /** Applies a quick fix with keys alone: Ctrl+., arrow down to the title, Enter. */
  async quickFix(path: string, line: number, column: number, title: RegExp): Promise<void> {
    await this.openQuickFixes(path, line, column);
    const focused = this.actionMenu.locator(".monaco-list-row.focused");
    for (let step = 0; step < 30; step++) {
      if (title.test((await textOf(focused)).trim())) {
        await this.press("Enter");
        await focused.waitFor({ state: "hidden" });
        return;
      }
      await this.press("ArrowDown");
    }
    throw new Error(`no quick fix ${title}`);
  }

  // ---- panels and bars -----------------------------------------------------------------------------------------

  async openProblems(): Promise<Locator> {
    const panel = this.page.locator(".markers-panel");
    if (!(await panel.isVisible())) await this.press("Control+Shift+M");
    await panel.waitFor();
    return panel;
  }

  /** Shows only the problems that hold a text; the list draws no more rows than fit. */
  async filterProblems(text: string): Promise<void> {
    const box = this.page.locator('input[placeholder^="Filter (e.g."], textarea[placeholder^="Filter (e.g."]');
    await box.fill(text);
  }

  problems(): Locator {
    return this.page.locator(".markers-panel .monaco-list-row:has(.marker-icon)");
  }

  /** Our status bar item. */
  status(): Locator {
    return this.page.locator('[id="taintwise.taintwise.cluster"]');
  }

  toasts(): Locator {
    return this.page.locator(".notifications-toasts .notification-toast");
  }

  async dismissToasts(): Promise<void> {
    while ((await this.toasts().count()) > 0) {
      await this.command("Notifications: Clear All Notifications");
      await this.toasts().first().waitFor({ state: "detached" });
    }
  }

  /** The document inside a web view that holds something matching; found by address, since the frame's name changes. */
  async webview(containing: string): Promise<Frame> {
    for (const end = Date.now() + 20_000; Date.now() < end; ) {
      for (const frame of this.page.frames()) {
        if (!frame.url().includes("/webview/browser/pre/fake.html")) continue;
        const found = await frame
          .locator(containing)
          .count()
          .catch(() => 0); // The frame was swapped while it was asked.
        if (found > 0) return frame;
      }
      await this.page.waitForTimeout(100);
    }
    throw new Error(`no web view has ${containing}`);
  }

  /** Taken when two pictures in a row are equal: a split leaves the layout half done for some frames. */
  async screenshot(path: string): Promise<void> {
    // Out of the way, so that no tip hangs over the picture.
    await this.page.mouse.move(640, 1);
    let last = await this.page.screenshot();
    for (let attempt = 0; attempt < 10; attempt++) {
      await this.page.waitForTimeout(100);
      const next = await this.page.screenshot();
      const settled = next.equals(last);
      last = next;
      if (settled) break;
    }
    writeFileSync(path, last);
  }
}
