import { parseInstant } from '../../../../plan/types/instant.ts'

/** A date, or a time in ISO 8601 with an offset or in UTC, in the years that have four digits. */
const TEXT = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d(?::\d\d)?)?)?$/

/** The time in UTC that a text with or without an offset is, as `2024-02-29 10:30:00`. Null: DuckDB may read it otherwise. */
export function utcOf(text: string): string | null {
  const instant = TEXT.test(text) ? parseInstant(text, null) : null
  if (instant === null) return null
  const milliseconds = Number(instant / 1_000_000n)
  const date = new Date(milliseconds - (instant % 1_000_000n < 0n ? 1 : 0))
  const [whole = ''] = date.toISOString().split('.')
  const year = date.getUTCFullYear()
  if (year < 1 || year > 9999) return null
  const micros = (((instant / 1_000n) % 1_000_000n) + 1_000_000n) % 1_000_000n
  return `${whole.replace('T', ' ')}${micros === 0n ? '' : `.${String(micros).padStart(6, '0')}`}`
}
