export function findBreaks(paths?: { released?: string; current?: string; meant?: string }): {
  isBroken: boolean;
  report: string;
};
export function hasGo(): boolean;
