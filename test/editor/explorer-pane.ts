// The explorer's two views as a person uses them: rows, what opens under a row, a row's actions, the title's.
import type { Locator, Page } from "playwright-core";
import { until } from "./session.ts";
import { textOf, type Workbench } from "./workbench.ts";

export type ViewName = "Nodes" | "Workloads";

export class ExplorerPane {
  readonly #workbench: Workbench;
  readonly #page: Page;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    this.#page = workbench.page;
  }

  /** Shows the container by its icon, which would hide it where it is shown. */
  async open(): Promise<void> {
    if (await this.view("Nodes").isVisible()) return;
    await this.#page.locator('.activitybar .action-item a[aria-label^="Taintwise"]').click();
    await this.view("Nodes").waitFor();
  }

  /** Draws the side bar's edge to so many pixels, so that causes can be read to their end. */
  async widen(width: number): Promise<void> {
    const box = await this.#page.locator(".part.sidebar").boundingBox();
    if (box === null) throw new Error("there is no side bar");
    await this.#page.mouse.move(box.x + box.width + 1, 500);
    await this.#page.mouse.down();
    await this.#page.mouse.move(width, 500, { steps: 5 });
    await this.#page.mouse.up();
  }

  /** One of the two views, with its title. */
  view(name: ViewName): Locator {
    return this.#page.locator(".split-view-view:has(> .pane)", {
      has: this.#page.locator(`.pane-header[aria-label^="${name} "], .pane-header[aria-label="${name} Section"]`),
    });
  }

  rows(view?: ViewName): Locator {
    const within = view === undefined ? this.#page : this.view(view);
    return within.locator(".pane-body .monaco-list-row[role=treeitem]");
  }

  /** The first row that says so; rows that are not on screen are not drawn. */
  row(text: string | RegExp, view?: ViewName): Locator {
    return this.rows(view).filter({ hasText: text }).first();
  }

  /** The text of the rows on screen, from top to bottom. */
  async texts(view: ViewName): Promise<readonly string[]> {
    const found = await this.rows(view).evaluateAll((rows) =>
      rows
        .map((row) => ({ top: row.getBoundingClientRect().top, text: row.textContent ?? "" }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
    return found;
  }

  /** The view's message row. */
  message(text: string | RegExp): Locator {
    return this.#page.locator(".pane-body .message").filter({ hasText: text }).first();
  }

  /** What the view's title says beside the view's name. */
  description(view: ViewName, text: string): Locator {
    return this.view(view).locator(".pane-header .description").filter({ hasText: text });
  }

  /** The text that stands where there are no rows. */
  welcome(view: ViewName): Locator {
    return this.view(view).locator(".welcome-view-content");
  }

  /** Opens a row if it is closed. */
  async unfold(text: string | RegExp, view?: ViewName): Promise<void> {
    await this.#again(async () => {
      const row = this.row(text, view);
      if ((await row.getAttribute("aria-expanded", { timeout: 5_000 })) === "true") return;
      await row.locator(".monaco-tl-twistie").click({ timeout: 2_000 });
      await until(`${text} open`, async () => (await row.getAttribute("aria-expanded")) === "true", 2_000);
    });
  }

  /** Closes a row if it is open, so that what stands below it is on screen. */
  async fold(text: string | RegExp, view?: ViewName): Promise<void> {
    await this.#again(async () => {
      const row = this.row(text, view);
      if ((await row.getAttribute("aria-expanded", { timeout: 5_000 })) !== "true") return;
      await row.locator(".monaco-tl-twistie").click({ timeout: 2_000 });
      await until(`${text} closed`, async () => (await row.getAttribute("aria-expanded")) !== "true", 2_000);
    });
  }

  /** Goes to a view's last row with the keyboard, until it is the one that says so. */
  async goToEnd(text: RegExp, view: ViewName): Promise<void> {
    await this.#workbench.command(`Taintwise: Focus on ${view} View`);
    await until(`${text}`, async () => {
      await this.#workbench.press("End");
      return this.row(text, view).isVisible();
    });
  }

  /** Clicks an inline action; they show while the row is under the mouse, which is lost whenever rows are drawn again. */
  async act(text: string | RegExp, action: string, view?: ViewName): Promise<void> {
    await this.#again(async () => {
      const row = this.row(text, view);
      await row.hover({ timeout: 2_000 });
      await row.locator(`.action-label[aria-label^="${action}"]`).click({ timeout: 1_500 });
    });
  }

  /** Chooses from a row's context menu. */
  async choose(text: string | RegExp, item: string, view?: ViewName): Promise<void> {
    await this.#again(async () => {
      await this.row(text, view).click({ button: "right", timeout: 2_000 });
      await this.#pickFromMenu(item);
    });
  }

  /** Clicks a button of the view's title, also one behind the dots. */
  async title(view: ViewName, action: string): Promise<void> {
    await this.#again(async () => {
      const header = this.view(view).locator(".pane-header");
      await header.hover({ timeout: 2_000 });
      const button = header.locator(`.action-label[aria-label^="${action}"]`);
      if ((await button.count()) > 0) return button.first().click({ timeout: 1_500 });
      await header
        .locator('.action-label[aria-label^="Views and More"], .action-label[aria-label="More Actions..."]')
        .click({ timeout: 1_500 });
      await this.#pickFromMenu(action);
    });
  }

  /** The labels of the context menu of a row, which is closed again. */
  async menuOf(text: string | RegExp, view?: ViewName): Promise<readonly string[]> {
    let labels: readonly string[] = [];
    await this.#again(async () => {
      await this.row(text, view).click({ button: "right", timeout: 2_000 });
      const items = this.#page.locator(".monaco-menu .action-label");
      await items.first().waitFor({ timeout: 2_000 });
      labels = (await items.allInnerTexts()).map((label) => label.trim()).filter((label) => label !== "");
      await this.#workbench.press("Escape");
    });
    return labels;
  }

  /** The number on the container's icon; empty for none. */
  async badge(): Promise<string> {
    const badge = this.#page.locator('.activitybar .action-item:has(a[aria-label^="Taintwise"]) .badge-content');
    return (await badge.count()) === 0 ? "" : (await textOf(badge.first())).trim();
  }

  async #pickFromMenu(item: string): Promise<void> {
    const entry = this.#page.locator(".monaco-menu .action-item", { hasText: item }).first();
    await entry.waitFor({ timeout: 2_000 });
    // A menu that has just come up takes no click.
    await this.#page.waitForTimeout(250);
    await entry.click({ timeout: 2_000 });
    await entry.waitFor({ state: "hidden", timeout: 2_000 });
  }

  /** A tree that is drawn again drops a hover, and a menu with it. */
  async #again(work: () => Promise<void>): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (tries === 8) throw error;
        await this.#workbench.press("Escape");
        await this.#page.mouse.move(700, 400);
      }
    }
  }
}
