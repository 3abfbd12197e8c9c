import { ServiceError } from '../../plan/errors.ts'
import { flagOption } from '../../plan/format/table-options.ts'
import { parsePath } from '../patterns/path.ts'
import { createOption } from '../sql/grammar/families/options.ts'
import type { CreateCrawler, StatementOption } from '../sql/grammar/node.ts'
import { type Crawler, TABLE_NAMINGS, type TableNaming } from './crawler.ts'

/** The keys behind WITH that say what a crawler does. All others are options of its tables. */
const CONTROL_KEYS = Object.freeze([
  'target_prefix',
  'format',
  'detect_partitions',
  'schedule',
  'event_driven',
  'table_naming',
] as const)

type ControlKey = (typeof CONTROL_KEYS)[number]

/** The longest name of a crawler, in bytes of UTF-8. */
const NAME_BYTES = 255

/** The longest time between two runs: ten years. */
const MOST_SECS = 3650 * 86_400

const UNIT_SECS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }

/**
 * The crawler that a statement defines. One that waits for events has `defaultIntervalSecs` as its schedule, unless it says otherwise.
 * Throws `invalid_sql` for a name or a value that no crawler has, and `invalid_path` for a prefix that leads out of the dataset root.
 */
export function readCrawler(node: CreateCrawler, defaultIntervalSecs: number): Crawler {
  requireCrawlerName(node.name)
  const controls = new Map<ControlKey, string>()
  const options: StatementOption[] = []
  for (const option of node.options) {
    const key = CONTROL_KEYS.find((control) => control === option.key)
    if (key === undefined) options.push(option)
    else controls.set(key, option.value)
  }
  const isEventDriven = readFlag(controls, 'event_driven', false)
  return Object.freeze({
    name: node.name,
    targetPrefix: readPrefix(node.prefix, controls.get('target_prefix')),
    formatFilter: readFormats(controls.get('format')),
    tableNaming: readNaming(controls.get('table_naming')),
    detectsPartitions: readFlag(controls, 'detect_partitions', true),
    scheduleSecs: readSchedule(controls.get('schedule')) ?? (isEventDriven ? defaultIntervalSecs : null),
    isEventDriven,
    options: Object.freeze(options),
  })
}

/** The statement that defines a crawler, as it is stored. `readCrawler` makes the same crawler of it. */
export function crawlerStatement(crawler: Crawler): CreateCrawler {
  const { name, targetPrefix, formatFilter, scheduleSecs, options } = crawler
  const controls: readonly (readonly [ControlKey, string | null])[] = [
    ['format', formatFilter === null ? null : formatFilter.join(',')],
    ['table_naming', crawler.tableNaming],
    ['detect_partitions', String(crawler.detectsPartitions)],
    ['schedule', scheduleSecs === null ? null : String(scheduleSecs)],
    ['event_driven', String(crawler.isEventDriven)],
  ]
  const written = controls.flatMap(([key, value]) => (value === null ? [] : [createOption(key, value)]))
  return Object.freeze({
    kind: 'create_crawler',
    name,
    prefix: targetPrefix,
    options: Object.freeze([...written, ...options]),
  })
}

function requireCrawlerName(name: string): void {
  const fault =
    name === ''
      ? 'is empty'
      : !name.isWellFormed()
        ? 'has half of a surrogate pair, which is no character'
        : Buffer.byteLength(name) > NAME_BYTES
          ? `has more than ${NAME_BYTES} bytes`
          : /\p{Cc}/u.test(name)
            ? 'has control characters'
            : null
  if (fault !== null)
    throw new ServiceError('invalid_sql', `The name ${JSON.stringify(name.slice(0, NAME_BYTES))} ${fault}.`)
}

/** The prefix of ON or of the option, which must be the same if both are there. The root is `''` or `/`. */
function readPrefix(on: string | null, option: string | undefined): string {
  const prefix = on ?? option
  if (prefix === undefined)
    throw new ServiceError(
      'invalid_sql',
      "A crawler needs a folder to begin in: write ON 'folder/', or the option target_prefix; '' is the whole dataset root.",
    )
  if (option !== undefined && option !== prefix)
    throw new ServiceError(
      'invalid_sql',
      `target_prefix: ${JSON.stringify(option)} is another folder than ${JSON.stringify(prefix)}; give one of both.`,
    )
  folderOf(prefix)
  return prefix
}

/** The folder of a prefix, relative to the root, without slashes at its ends. Throws `invalid_path` if it leads out of the root. */
export function folderOf(prefix: string): string {
  const path = prefix.replace(/^\/+/, '')
  return path === '' ? '' : parsePath(path).names.join('/')
}

function readFormats(text: string | undefined): Crawler['formatFilter'] {
  if (text === undefined) return null
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  return Object.freeze([...new Set(names.filter((name) => name !== ''))])
}

function readNaming(text: string | undefined): TableNaming {
  if (text === undefined) return 'leaf_prefix'
  const naming = TABLE_NAMINGS.find((each) => each === text)
  if (naming !== undefined) return naming
  throw new ServiceError(
    'invalid_sql',
    `Unknown table_naming ${JSON.stringify(text)}: it is ${TABLE_NAMINGS.join(' or ')}.`,
  )
}

function readSchedule(text: string | undefined): number | null {
  if (text === undefined) return null
  const [, digits = '', unit = ''] = /^\s*(\d{1,12})\s*([smhd]?)\s*$/i.exec(text) ?? []
  const secs = Number(digits) * (UNIT_SECS[unit.toLowerCase()] ?? Number.NaN)
  if (digits !== '' && secs <= MOST_SECS) return secs
  throw new ServiceError(
    'invalid_sql',
    `schedule: ${JSON.stringify(text)} is no time: write seconds, or a number with s, m, h or d, such as '15m', of at most ten years.`,
  )
}

function readFlag(
  controls: ReadonlyMap<ControlKey, string>,
  key: 'detect_partitions' | 'event_driven',
  fallback: boolean,
): boolean {
  const text = controls.get(key)
  if (text === undefined) return fallback
  const flag = flagOption(key).valueOf(text, (what) => {
    throw new ServiceError('invalid_sql', `${what}.`)
  })
  return flag === true
}
