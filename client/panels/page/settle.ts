/** How long something has to be wrong before it is shown, in ms: text that is being typed is broken for moments. */
const moment = 700;

/** Shows that something is wrong only when it stays wrong, so that nothing flickers while a user types. What is right again shows at once. */
export interface Settle {
  /** @param apply brings it on the page */
  show(isWrong: boolean, apply: () => void): void;
  /** Something else is shown from here on: its first state shows at once. */
  restart(): void;
}

export function createSettle(): Settle {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFirst = true;
  let isWrongNow = false;
  let latest: () => void = () => undefined;
  const showNow = (isWrong: boolean) => {
    clearTimeout(timer);
    timer = undefined;
    isWrongNow = isWrong;
    latest();
  };
  return {
    show(isWrong, apply) {
      latest = apply;
      if (!isWrong || isWrongNow || isFirst) showNow(isWrong);
      else timer ??= setTimeout(() => showNow(true), moment);
      isFirst = false;
    },
    restart() {
      isFirst = true;
    },
  };
}
