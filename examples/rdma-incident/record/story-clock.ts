// The recording takes a minute, the story six weeks. Each chapter has a date of
// its own, and every time stamp the API server and the controllers wrote is
// moved from when its chapter was played to when it is set.

/** Maps time stamps of the recording to time stamps of the story. */
export interface StoryClock {
  /** Begins a chapter set at `date` (RFC 3339). Resolves at a full second, as most stamps have no finer. */
  enter(date: string): Promise<void>;
  /** Moves an RFC 3339 stamp; its fraction stays. Stamps from before the first chapter move with it. */
  retell(stamp: string): string;
  /** When in the story it is now, in milliseconds since the epoch. */
  now(): number;
}

/** Makes a clock that has not entered a chapter yet. */
export function storyClock(): StoryClock {
  const chapters: { readonly played: number; readonly set: number }[] = [];
  const retold = (instant: number): number => {
    const chapter = chapters.findLast(({ played }) => played <= instant) ?? chapters[0];
    return chapter === undefined ? instant : instant - chapter.played + chapter.set;
  };
  return {
    async enter(date) {
      const second = (Math.floor(Date.now() / 1000) + 1) * 1000;
      await new Promise((resolve) => setTimeout(resolve, second - Date.now()));
      chapters.push({ played: second, set: Date.parse(date) });
    },
    retell(stamp) {
      const fraction = /\.\d+/.exec(stamp)?.[0] ?? "";
      const instant = Date.parse(stamp.replace(fraction, ""));
      return new Date(retold(instant)).toISOString().replace(".000Z", `${fraction}Z`);
    },
    now: () => retold(Date.now()),
  };
}
