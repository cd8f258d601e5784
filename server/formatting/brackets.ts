/** Brackets that are open at some point of a text that need not be JSON. `Frame` is what is known about each. */
export class Brackets<Frame> {
  private readonly open: { readonly type: '{' | '['; readonly frame: Frame }[] = [];
  private readonly counts = { '{': 0, '[': 0 };

  get level(): number {
    return this.open.length;
  }

  get innermost(): Frame | undefined {
    return this.open.at(-1)?.frame;
  }

  push(type: '{' | '[', frame: Frame): void {
    this.open.push({ type, frame });
    this.counts[type] += 1;
  }

  /**
   * Closes the innermost bracket of that type, and with it those in it whose own is missing. Undefined when it closes nothing, which is
   * found out at once, so that a text of brackets that do not match takes no longer than another.
   */
  close(bracket: '}' | ']'): Frame | undefined {
    const type = bracket === '}' ? '{' : '[';
    if (this.counts[type] === 0) return undefined;
    for (;;) {
      const last = this.open.pop();
      if (last === undefined) return undefined;
      this.counts[last.type] -= 1;
      if (last.type === type) return last.frame;
    }
  }
}
