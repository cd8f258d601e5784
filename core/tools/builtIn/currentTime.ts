import type { JsonObject } from '../../json.js';
import type { Clock } from '../../ports.js';
import type { ToolOutcome } from '../types.js';
import { failed } from './projectFiles.js';

/** `current_time`: date, weekday and time in a time zone. */
export async function currentTime({ clock }: { readonly clock: Clock }, { time_zone = 'UTC' }: JsonObject): Promise<ToolOutcome> {
  const now = clock.now();
  const zone = String(time_zone);
  let parts: ReadonlyMap<string, string>;
  try {
    parts = partsIn(zone, now);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return failed(`${JSON.stringify(zone)} is not a time zone. Give an IANA name such as "Europe/Berlin", or "UTC".`);
  }
  const part = (name: string) => parts.get(name) ?? '';
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  const time = `${part('hour')}:${part('minute')}:${part('second')}`;
  // "GMT" for a zone without an offset, else "GMT+05:30".
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00';
  const iso = `${date}T${time}${offset}`;
  return {
    content: `${part('weekday')}, ${iso} (${zone})`,
    value: { iso, date, time, weekday: part('weekday'), time_zone: zone, utc: new Date(now).toISOString() },
    hints: { source_quality: 'high' },
  };
}

function partsIn(timeZone: string, now: number): ReadonlyMap<string, string> {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  });
  return new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
}
