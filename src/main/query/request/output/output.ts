import { alternatives } from '../../../../plan/alternatives.ts'
import { didYouMean } from '../../../../plan/nearest-name.ts'
import {
  at,
  checkMembers,
  describe,
  isObject,
  type MemberHints,
  readMembers,
  reject,
  synonymsOf,
} from '../../../json/shape.ts'
import { OUTPUT_NAMES, OUTPUTS, type OutputName, type RequestedOutput } from '../../../output/outputs.ts'

/** The format of an answer with its options (docs/reference/json-language.md). */
export type Output = RequestedOutput<OutputName>

/** Names of other programs for formats, and the end of a message that says how they are called here. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...['json_lines', 'jsonl', 'jsonlines'].map((name) => [name, ', did you mean "ndjson"?'] as const),
  ...['arrow_file', 'feather'].map((name) => [name, ', did you mean "arrow"?'] as const),
  ...['excel', 'text', 'tsv', 'xls', 'xlsx'].map((name) => [name, ', did you mean "csv"?'] as const),
  ...['arrow_stream', 'arrows', 'ipc_stream', 'stream'].map(
    (name) => [name, '; an Arrow stream is the answer without "output"'] as const,
  ),
])

const HINTS: MemberHints = Object.freeze({
  synonyms: synonymsOf([[['format'], ['as', 'file_format', 'kind', 'name', 'type']]]),
  listed: ['format'],
})

const NAMES = [...OUTPUT_NAMES.keys()]
const FORMAT_NAMES = alternatives(NAMES)

export function readOutput(value: unknown, path: string): Output {
  if (typeof value === 'string') reject(path, `expected an object; write {"format": ${describe(value)}}`)
  const members = readMembers(value, path)
  const named = [...members.keys()].find((key) => OUTPUT_NAMES.has(key))
  if (named !== undefined) reject(at(path, named), `unknown member; write {"format": "${named}"}`)
  checkMembers(members, ['format'], path, HINTS)
  const [format, formatPath] = [members.get('format'), at(path, 'format')]
  if (!Array.isArray(format)) return readFormat(format, formatPath)
  // A list of one format is that format.
  if (format.length === 1) return readFormat(format[0], at(formatPath, 0))
  reject(formatPath, `expected one format, ${FORMAT_NAMES}, found a list of ${format.length}`)
}

function readFormat(value: unknown, path: string): Output {
  if (typeof value === 'string') {
    const format = OUTPUT_NAMES.get(value)
    if (format === undefined) {
      const hint = OTHER_NAMES.get(value.toLowerCase()) ?? didYouMean(value, NAMES)
      reject(path, `expected ${FORMAT_NAMES}, found ${describe(value)}${hint}`)
    }
    if (OUTPUTS[format].options?.areRequired)
      reject(path, `expected an object with the options of ${value}; write {"${value}": {…}}`)
    return readRequested(format, {}, path)
  }
  if (!isObject(value)) reject(path, `expected ${FORMAT_NAMES}, found ${describe(value)}`)
  const [entry, ...others] = readMembers(value, path)
  if (entry === undefined || others.length > 0) reject(path, 'expected exactly one format')
  const [key, options] = entry
  const format = OUTPUT_NAMES.get(key)
  if (format === undefined || OUTPUTS[format].options === null)
    reject(path, `expected ${FORMAT_NAMES}, found an object with the member "${key}"`)
  return readRequested(format, options, at(path, key))
}

function readRequested(format: OutputName, options: unknown, path: string): Output {
  const read = OUTPUTS[format].options?.read(options, path) ?? null
  return Object.freeze({ format, options: read }) as Output
}
