// Chance from a seed: the same seed draws the same again. Mulberry32, which is small and the same everywhere.

export interface Chance {
  /** From 0 to 1. */
  draw: () => number;
  /** From `least` to `most`, both included. */
  between: (least: number, most: number) => number;
  pick: <Item>(items: readonly Item[]) => Item;
  /** By weight: an item of weight 2 comes twice as often as one of weight 1. */
  pickWeighted: <Item extends { weight: number }>(items: readonly Item[]) => Item;
}

export function chanceOf(seed: number): Chance {
  let state = seed | 0;
  const draw = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(draw() * items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  };
  const pickWeighted = <Item extends { weight: number }>(items: readonly Item[]): Item => {
    let left = draw() * items.reduce((sum, { weight }) => sum + weight, 0);
    const found = items.find(({ weight }) => (left -= weight) < 0);
    return found ?? pick(items);
  };
  return { draw, between: (least, most) => least + Math.floor(draw() * (most - least + 1)), pick, pickWeighted };
}
