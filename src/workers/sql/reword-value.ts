import { TOO_FINE } from '../../plan/functions/times/making-times.ts'
import { didYouMean } from '../../plan/nearest-name.ts'
import type { DuckMessage } from './duck-message.ts'
import { wrongType } from './functions/named-types.ts'

/** The parts of dates and times that DuckDB knows, without further names of the same. */
const PARTS = [
  ...['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond', 'microsecond'],
  ...['dayofweek', 'isodow', 'dayofyear', 'isoyear', 'yearweek', 'epoch', 'decade', 'century', 'millennium'],
  ...['era', 'julian', 'timezone', 'timezone_hour', 'timezone_minute'],
]

/** What is wrong with an argument of a function that is a word or a pattern, and what it may be. Null: the error is another one. */
export function rewordValue({ what, hints }: DuckMessage): string | null {
  const type = wrongType(what)
  if (type !== null) return type
  const [, finer] = TOO_FINE_TEXT.exec(what) ?? []
  if (finer !== undefined)
    return `"${finer}" has digits below microseconds, which are lost; to_timestamp_nanos keeps those of a time`
  const [, part] = /^extract specifier "(.*)" not recognized$/.exec(what) ?? []
  if (part !== undefined)
    return `There is no date part "${part}"${didYouMean(part, PARTS) || `; it is one of ${PARTS.join(', ')}`}`
  const [, format, specifier = ''] = FORMAT.exec(what) ?? []
  if (format !== undefined)
    return `There is no specifier "${specifier}" in formats such as "${format}"; those of a date are %Y, %m, %d, %H, %M, %S, %f and others`
  const [, zoned] = /^timestamp field value "(.*)" has a timestamp that is not UTC\./.exec(what) ?? []
  if (zoned !== undefined)
    return `"${zoned}" has the name of a zone; a time is written with its offset, as in '2024-02-29 12:00:00+01:00', or as in TIMESTAMP '2024-02-29 12:00:00' AT TIME ZONE 'Europe/Paris'`
  const [, text, pattern] =
    /^Could not parse string "(.*)" according to format specifier "(.*)"$/.exec(what) ?? []
  if (text === undefined || pattern === undefined) return null
  const reason = hints.find((hint) => /^Error: (?!.* expected NULL$)/.test(hint))
  return `"${text}" is not written as "${pattern}"${reason === undefined ? '' : `: ${reason.slice('Error: '.length)}`}`
}

/** A text that `to_time` refuses, in a message about its type. */
const TOO_FINE_TEXT = new RegExp(`: "${TOO_FINE}(.*?)"`)

const FORMAT = /^Failed to parse format specifier (.*): Unrecognized format for strftime\/strptime: (.*)$/
