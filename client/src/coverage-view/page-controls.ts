/// <reference lib="dom" />
// Client: what stands around the grid of the coverage page: cluster, order, what-if, saving, legend.
import { CELL_ORDER, CELL_SIGNS } from "../../../shared/src/matrix-svg.ts";
import type { MatrixMessage, PageMessage } from "./messages.ts";

export interface Controls {
  readonly top: HTMLElement;
  readonly whatIf: HTMLElement;
  readonly legend: HTMLElement;
  readonly fill: (message: MatrixMessage) => void;
}

export interface ControlActions {
  readonly send: (message: PageMessage) => void;
  /** Whether the worst stand first at the beginning. */
  readonly sorted: boolean;
  readonly sort: (worstFirst: boolean) => void;
  readonly save: (format: "svg" | "png") => void;
}

/** Makes the controls; `fill` gives them their texts and choices. */
export function controls({ send, sorted, sort, save }: ControlActions): Controls {
  const top = document.createElement("form");
  const whatIf = document.createElement("form");
  const legend = document.createElement("div");
  legend.className = "legend";
  const cluster = document.createElement("select");
  const worst = document.createElement("input");
  worst.type = "checkbox";
  worst.checked = sorted;
  const worstText = document.createElement("span");
  const worstLabel = document.createElement("label");
  worstLabel.append(worst, worstText);
  const svg = button(() => save("svg"));
  const png = button(() => save("png"));
  top.append(cluster, worstLabel, svg, png);

  const row = document.createElement("select");
  const taint = document.createElement("input");
  taint.placeholder = "dedicated=rdma:NoSchedule";
  taint.size = 32;
  const show = document.createElement("button");
  show.type = "submit";
  const clear = button(() => send({ type: "clear" }));
  const about = document.createElement("label");
  about.append(document.createElement("span"), row);
  const problem = document.createElement("span");
  problem.className = "problem";
  problem.setAttribute("role", "alert");
  whatIf.append(about, taint, show, clear, problem);

  cluster.addEventListener("change", () => send({ type: "cluster", key: cluster.value }));
  worst.addEventListener("change", () => sort(worst.checked));
  top.addEventListener("submit", (event) => event.preventDefault());
  whatIf.addEventListener("submit", (event) => {
    event.preventDefault();
    send({ type: "whatIf", row: row.value, taint: taint.value });
  });

  return {
    top,
    whatIf,
    legend,
    fill: ({ matrix, clusters, texts }) => {
      choices(
        cluster,
        clusters.map(({ key, name }) => ({ value: key, text: name })),
        matrix?.cluster ?? "",
      );
      cluster.setAttribute("aria-label", texts.cluster);
      cluster.hidden = clusters.length < 2;
      worstText.textContent = texts.sortWorst;
      svg.textContent = texts.saveSvg;
      png.textContent = texts.savePng;
      choices(
        row,
        (matrix?.rows ?? [])
          .filter((each) => !each.whatIf)
          .map(({ id, name, nodes }) => ({ value: id, text: `${name} (${nodes})` })),
        row.value,
      );
      row.setAttribute("aria-label", texts.whatIfClass);
      taint.setAttribute("aria-label", texts.whatIf);
      const [words] = about.children;
      if (words !== undefined) words.textContent = `${texts.whatIf}: `;
      show.textContent = texts.whatIfShow;
      clear.textContent = texts.whatIfClear;
      problem.textContent = matrix?.problem ?? "";
      legend.setAttribute("aria-label", texts.legend);
      legend.replaceChildren(
        ...CELL_ORDER.map((state) => {
          const entry = document.createElement("span");
          const sign = document.createElement("span");
          sign.className = `sign ${state}`;
          sign.textContent = CELL_SIGNS[state];
          entry.append(sign, texts.states[state]);
          return entry;
        }),
      );
    },
  };
}

function button(click: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.addEventListener("click", click);
  return made;
}

function choices(
  select: HTMLSelectElement,
  entries: readonly { readonly value: string; readonly text: string }[],
  chosen: string,
): void {
  select.replaceChildren(
    ...entries.map(({ value, text }) => {
      const option = document.createElement("option");
      option.value = value;
      option.textContent = text;
      option.selected = value === chosen;
      return option;
    }),
  );
}
