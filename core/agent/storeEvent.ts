/**
 * Stores an event. One that could not be stored is yielded all the same: it has happened, and its number is taken.
 *
 * @returns what the store threw, to be thrown after the event has been yielded
 */
export async function storeEvent<Event>(
  event: Event,
  store: { event(event: Event): Promise<void> | void },
): Promise<{ readonly error: unknown } | undefined> {
  try {
    await store.event(event);
    return undefined;
  } catch (error) {
    return { error };
  }
}
