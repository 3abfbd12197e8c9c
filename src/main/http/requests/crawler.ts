import { ServiceError } from '../../../plan/errors.ts'
import { TABLE_NAMINGS } from '../../crawlers/crawler.ts'
import { createOption } from '../../sql/grammar/families/options.ts'
import type { CreateCrawler, StatementOption } from '../../sql/grammar/node.ts'
import { type JsonObject, jsonObject } from './json-body.ts'

const EXAMPLE = '{"name": "profiles", "target_prefix": "profiles/"}'

/**
 * The statement that a request for a crawler stands for. Members that are not known are passed over. An option with the key of a control,
 * such as `schedule`, takes the place of that control. Throws `malformed_body`, `wrong_shape` for a member that is missing or of another
 * type, and `invalid_query` for an option that is given twice.
 */
export function crawlerRequest(text: string): CreateCrawler {
  const body = jsonObject(text, `A crawler is a JSON object, such as ${EXAMPLE}`)
  const name = textOf(body, 'name')
  const prefix = textOf(body, 'target_prefix')
  const options = optionsOf(body)
  const keys = new Set(options.map(({ key }) => key))
  const controls = controlsOf(body).filter(({ key }) => !keys.has(key))
  return Object.freeze({
    kind: 'create_crawler',
    name,
    prefix: keys.has('target_prefix') ? null : prefix,
    options: Object.freeze([...controls, ...options]),
  })
}

function controlsOf(body: JsonObject): readonly StatementOption[] {
  const formats = formatsOf(body)
  const schedule = scheduleOf(body)
  return [
    ...(formats === null ? [] : [createOption('format', formats.join(','))]),
    createOption('table_naming', namingOf(body)),
    createOption('detect_partitions', String(flagOf(body, 'detect_partitions', true))),
    ...(schedule === null ? [] : [createOption('schedule', schedule)]),
    createOption('event_driven', String(flagOf(body, 'event_driven', false))),
  ]
}

function textOf(body: JsonObject, member: string): string {
  const value = body[member]
  if (typeof value === 'string') return value
  throw wrong(member, 'a string', value)
}

function flagOf(body: JsonObject, member: string, fallback: boolean): boolean {
  const value = body[member] ?? fallback
  if (typeof value === 'boolean') return value
  throw wrong(member, 'true or false', value)
}

function formatsOf(body: JsonObject): readonly string[] | null {
  const value = body['format_filter'] ?? null
  if (value === null) return null
  if (!Array.isArray(value)) throw wrong('format_filter', 'an array of strings', value)
  return value.map((each: unknown, index): string => {
    if (typeof each !== 'string') throw wrong(`format_filter[${index}]`, 'a string', each)
    return each
  })
}

function namingOf(body: JsonObject): string {
  const value = body['table_naming'] ?? TABLE_NAMINGS[0]
  const naming = TABLE_NAMINGS.find((each) => each === value)
  if (naming !== undefined) return naming
  throw wrong('table_naming', TABLE_NAMINGS.map((each) => JSON.stringify(each)).join(' or '), value)
}

function scheduleOf(body: JsonObject): string | null {
  const value = body['schedule_secs'] ?? null
  if (value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value)
  throw wrong('schedule_secs', 'a whole number of seconds that is not negative', value)
}

function optionsOf(body: JsonObject): readonly StatementOption[] {
  const value = body['options'] ?? {}
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong('options', 'an object of strings', value)
  const options = Object.entries(value).map(([key, text]: [string, unknown]) => {
    if (typeof text !== 'string') throw wrong(`options.${key}`, 'a string', text)
    return createOption(key, text)
  })
  const keys = options.map(({ key }) => key)
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice === undefined) return options
  throw new ServiceError('invalid_query', `options: ${JSON.stringify(twice)} is given twice.`)
}

function wrong(member: string, expected: string, actual: unknown): ServiceError {
  const problem = actual === undefined ? 'is missing' : `must be ${expected}`
  return new ServiceError('wrong_shape', `"${member}" ${problem}; a crawler is sent as ${EXAMPLE}.`)
}
