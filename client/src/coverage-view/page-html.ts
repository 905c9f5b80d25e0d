// Client: the coverage page's document and style. Knows nothing of the editor but the names of its colours.
import { randomBytes } from "node:crypto";

/**
 * The document that holds the page's script. Nothing but our own script runs, and nothing is fetched; `data:` is for
 * drawing the picture that is saved. `script` is its address, `source` what the editor calls the folder in a policy.
 */
export function pageHtml(script: string, source: string): string {
  const nonce = randomBytes(18).toString("base64");
  const policy = `default-src 'none'; script-src ${source}; style-src 'nonce-${nonce}'; img-src data:`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Taintwise</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body><main id="page"></main><script src="${script}"></script></body>
</html>`;
}

/** Every colour is the theme's. */
const STYLE = `
body { padding: 0; display: flex; flex-direction: column; height: 100vh; margin: 0; box-sizing: border-box; }
main { display: flex; flex-direction: column; min-height: 0; flex: 1; padding: 8px 12px; gap: 8px; }
form, .legend { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.legend span { display: inline-flex; gap: 4px; align-items: center; }
button, select, input { font: inherit; padding: 3px 8px; color: var(--vscode-input-foreground); background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, transparent)); border-radius: 2px; }
button { color: var(--vscode-button-foreground); background: var(--vscode-button-background); cursor: pointer; }
button:focus-visible, select:focus-visible, input:focus-visible, .cell:focus, .name:focus { outline: 2px solid var(--vscode-focusBorder); outline-offset: -2px; }
.problem { color: var(--vscode-errorForeground); }
.viewport { overflow: auto; flex: 1; min-height: 120px; position: relative; border: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); }
.canvas { position: relative; }
.row { position: absolute; left: 0; display: block; contain: layout style; }
.head { position: sticky; top: 0; z-index: 2; background: var(--vscode-editor-background); }
.corner, .name { position: sticky; left: 0; z-index: 1; display: inline-block; box-sizing: border-box; background: var(--vscode-editor-background); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding: 4px 6px; }
.name { cursor: pointer; }
.whatif .name { font-style: italic; }
.column { position: absolute; bottom: 8px; transform-origin: left bottom; transform: rotate(-60deg); white-space: nowrap; }
.cell, .sign { display: inline-block; text-align: center; line-height: 20px; box-sizing: border-box; border: 1px solid var(--vscode-contrastBorder, transparent); border-radius: 3px; }
.cell { position: absolute; top: 1px; cursor: pointer; line-height: 22px; contain: strict; }
.sign { width: 20px; height: 20px; justify-content: center; }
.runs { color: var(--vscode-testing-iconPassed); }
.gap { color: var(--vscode-errorForeground); background: var(--vscode-inputValidation-errorBackground); font-weight: bold; }
.bomb { color: var(--vscode-editorWarning-foreground); background: var(--vscode-inputValidation-warningBackground); font-weight: bold; }
.waits { color: var(--vscode-editorInfo-foreground); }
.excluded { color: var(--vscode-descriptionForeground); }
#about { min-height: 2.6em; }
`;
