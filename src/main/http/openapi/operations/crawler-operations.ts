import { TABLE_NAMINGS } from '../../../crawlers/crawler.ts'
import {
  ADMIN_ERRORS,
  BODY_ERRORS,
  BOOLEAN,
  errorAnswer,
  INTEGER,
  jsonAnswer,
  listOf,
  type Operation,
  objectOf,
  parameterErrorAnswer,
  plainErrorAnswer,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
} from './operation.ts'

const COUNT = { type: 'integer', minimum: 0 } as const
const COUNT_OR_NULL = { type: ['integer', 'null'], minimum: 0 } as const

const CRAWLER = objectOf({
  name: TEXT,
  target_prefix: TEXT,
  format_filter: { type: ['array', 'null'], items: TEXT },
  table_naming: { enum: TABLE_NAMINGS },
  detect_partitions: BOOLEAN,
  schedule_secs: COUNT_OR_NULL,
  event_driven: BOOLEAN,
  options: { type: 'object', additionalProperties: TEXT },
})

const REPORT_MEMBERS = {
  crawler: TEXT,
  discovered: { ...COUNT, description: 'Tables that the files make' },
  created: TEXTS,
  updated: {
    ...TEXTS,
    description: 'Tables of this crawler, whether or not anything about them has changed',
  },
  skipped: { ...TEXTS, description: 'Names that something else has' },
  failed: { ...listOf(TEXTS), description: 'Pairs of a table and a message' },
  skipped_files: { ...COUNT, description: 'Files that listings have and no table has' },
  vanished: { ...TEXTS, description: 'Tables of this crawler of which no file is there any more' },
  unread: {
    ...listOf(objectOf({ reason: TEXT, count: COUNT, example: TEXT })),
    description: 'What could not be read',
  },
  dry_run: BOOLEAN,
} as const

const RUN = objectOf({
  run_id: { type: 'string', format: 'uuid' },
  crawler: TEXT,
  trigger: { enum: ['request', 'schedule'] },
  dry_run: BOOLEAN,
  state: { enum: ['running', 'done', 'failed', 'interrupted'] },
  started_at: { type: 'string', format: 'date-time' },
  duration_ms: {
    ...COUNT_OR_NULL,
    description: 'Null while it runs, and if the service has ended meanwhile',
  },
  folders: INTEGER,
  files: INTEGER,
  tables: INTEGER,
  report: { type: ['object', 'null'], properties: REPORT_MEMBERS },
  error: TEXT_OR_NULL,
})

const EXAMPLE = {
  name: 'stations',
  target_prefix: 'stations/',
  format_filter: ['csv'],
  table_naming: 'leaf_prefix',
  detect_partitions: true,
  schedule_secs: 3600,
  event_driven: false,
  options: {},
} as const

const STATIONS = { summary: 'A crawler', parameters: { name: 'stations' } } as const
const UNKNOWN = { summary: 'A crawler that does not exist', parameters: { name: 'nothing' } } as const
const NO_SUCH = 'There is no crawler "nothing"; SHOW CRAWLERS lists them.'

/** The operations that define and run crawlers. */
export const CRAWLER_OPERATIONS: Readonly<Record<string, Operation>> = {
  createCrawler: {
    requests: {
      hourly: { summary: 'Each hour, over the CSV files of a folder', body: EXAMPLE },
      outside: {
        summary: 'A folder out of the dataset root',
        body: { name: 'others', target_prefix: '../other' },
      },
    },
    answers: {
      200: { description: 'The crawler is there; without a body. It has not run' },
      400: plainErrorAnswer('A value that no crawler has', {
        outside:
          'The path "../other" has a `..` part; paths are relative to the dataset root, which no query leaves.',
      }),
      ...BODY_ERRORS,
      422: errorAnswer('The body is JSON, but not an object, or a member is missing or of another type'),
      ...ADMIN_ERRORS,
    },
  },
  listCrawlers: {
    requests: { plain: { summary: 'No parameters' } },
    answers: {
      200: jsonAnswer('The crawlers by name', listOf(CRAWLER), { plain: [EXAMPLE] }),
      ...ADMIN_ERRORS,
    },
  },
  getCrawler: {
    requests: { one: STATIONS, unknown: UNKNOWN },
    answers: {
      200: jsonAnswer('The crawler', CRAWLER, { one: EXAMPLE }),
      404: plainErrorAnswer('There is no such crawler', { unknown: 'Crawler nothing not found' }),
      ...ADMIN_ERRORS,
    },
  },
  runCrawler: {
    requests: {
      dry: { summary: 'What a run would do', parameters: { name: 'stations', dry_run: true } },
      unknown: UNKNOWN,
    },
    answers: {
      200: jsonAnswer('What the run has done', objectOf(REPORT_MEMBERS), {
        dry: {
          crawler: 'stations',
          discovered: 0,
          created: [],
          updated: [],
          skipped: [],
          failed: [],
          skipped_files: 0,
          vanished: [],
          dry_run: true,
        },
      }),
      400: parameterErrorAnswer('There is no such crawler, or it was dropped or replaced while it ran', {
        plain: { unknown: NO_SUCH },
      }),
      ...ADMIN_ERRORS,
    },
  },
  listCrawlerRuns: {
    requests: { one: STATIONS, unknown: UNKNOWN },
    answers: {
      200: jsonAnswer('The last runs, the latest first', listOf(RUN), {
        one: [{ crawler: 'stations', trigger: 'request', dry_run: true, state: 'done', error: null }],
      }),
      404: plainErrorAnswer('There is no such crawler', { unknown: 'Crawler nothing not found' }),
      ...ADMIN_ERRORS,
    },
  },
  deleteCrawler: {
    requests: { unknown: UNKNOWN },
    answers: {
      200: { description: 'The crawler is gone, its tables are there; without a body' },
      400: plainErrorAnswer('There is no such crawler', { unknown: NO_SUCH }),
      ...ADMIN_ERRORS,
    },
  },
}
