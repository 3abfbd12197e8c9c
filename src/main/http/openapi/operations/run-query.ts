import { OUTPUTS } from '../../../output/outputs.ts'
import { noticeHeader, queryIdHeader } from '../../../settings/config.ts'
import {
  type AnswerDescription,
  BODY_ERRORS,
  CLIENT_ERRORS,
  errorAnswer,
  listOf,
  type Operation,
  TEXT,
  UNAVAILABLE_ERRORS,
} from './operation.ts'
import { SAMPLE_ANYWHERE, SAMPLE_JSON, SAMPLE_SQL } from './sample-queries.ts'

const { output: _csv, ...STREAMED } = SAMPLE_JSON

/** The queries that the document shows, each with the name by which its answers are found. */
export const REQUESTS = {
  north: { summary: 'Rows of some columns, as CSV', body: SAMPLE_JSON, isOfSample: true },
  models: { summary: 'A join in SQL', body: SAMPLE_SQL, isOfSample: true },
  formats: { summary: 'What files there are', body: SAMPLE_ANYWHERE },
} as const

/** Queries that are not answered with CSV. */
const OTHERS = {
  document: {
    summary: 'The first of these rows as JSON',
    body: { ...SAMPLE_JSON, limit: 2, output: { format: 'json' } },
    isOfSample: true,
  },
  lines: {
    summary: 'The same as an object on each line',
    body: { ...SAMPLE_JSON, limit: 2, output: { format: 'ndjson' } },
    isOfSample: true,
  },
  stream: { summary: 'The same rows as an Arrow IPC stream', body: STREAMED, isOfSample: true },
  wrong_column: {
    summary: 'A column that does not exist',
    body: { ...SAMPLE_JSON, select: ['temprature'] },
    isOfSample: true,
  },
} as const

const CSV_EXAMPLES = {
  north: `time,latitude,longitude,temperature
2024-02-20T18:00:00,50.679,-29.6031,12.053
2024-02-21T03:00:00,50.9799,-28.076,11.861
2024-02-22T11:00:00,51.4437,-38.7262,11.675
2024-02-23T06:00:00,50.5559,-29.6213,12.061
2024-02-23T15:00:00,51.0919,-27.9368,11.861
2024-02-24T23:00:00,51.3354,-38.6066,11.699
`,
  models: `model,floats,surface
APEX,4,19.09
PROVOR,4,15.82
ARVOR,4,15.41
`,
  formats: `file_format,files
csv,1
nc,13
parquet,2
tiff,1
zarr,1
`,
}

const ROWS_AS_JSON = {
  columns: [
    { name: 'time', type: 'Timestamp(ms)' },
    { name: 'latitude', type: 'Float64' },
    { name: 'longitude', type: 'Float64' },
    { name: 'temperature', type: 'Float64' },
  ],
  rows: [
    ['2024-02-20T18:00:00', 50.679, -29.6031, 12.053],
    ['2024-02-21T03:00:00', 50.9799, -28.076, 11.861],
  ],
}

const LINES = ROWS_AS_JSON.rows
  .map((row) => Object.fromEntries(ROWS_AS_JSON.columns.map(({ name }, i) => [name, row[i]])))
  .map((row) => `${JSON.stringify(row)}\n`)
  .join('')

/** A JSON answer (docs/guides/output-formats.md). */
const DOCUMENT = {
  type: 'object',
  properties: {
    columns: listOf({ type: 'object', properties: { name: TEXT, type: TEXT }, required: ['name', 'type'] }),
    rows: listOf({ type: 'array', description: 'The values of a row, in the order of the columns' }),
  },
  required: ['columns', 'rows'],
}

const ERROR_EXAMPLES = {
  wrong_column:
    'select[0]: there is no column "temprature" in parquet(observations/*.parquet); did you mean "temperature"? ' +
    'It has "time", "latitude", "longitude", "depth", "platform", "temperature", "salinity"',
}

/** The operations that answer with rows. `name` is `SERVICE_NAME`. */
export function runOperations(name: string): Readonly<Record<string, Operation>> {
  const header = queryIdHeader(name)
  const rows: AnswerDescription = {
    description: 'The rows: an Arrow IPC stream, or the format that `output` names',
    headers: {
      [header]: { schema: { type: 'string', format: 'uuid' }, description: 'The id of the run' },
      [noticeHeader(name)]: {
        schema: TEXT,
        description: 'What in the files looks as if other options were meant; absent if nothing does',
      },
      ETag: { schema: TEXT, description: 'Of a whole answer: a digest of the query and of its files' },
    },
    links: {
      metrics: {
        operationId: 'getQueryMetrics',
        parameters: { query_id: `$response.header.${header}` },
        description: 'What the query has cost',
      },
    },
    content: Object.fromEntries(
      // Text first: explorers show the example of the first media type.
      Object.values(OUTPUTS)
        .map(({ contentType }) => [contentType, contentOf(contentType)] as const)
        .sort(([, a], [, b]) => Number('examples' in b) - Number('examples' in a)),
    ),
  }
  const parts = Object.fromEntries(
    Object.values(OUTPUTS).map(({ contentType }) => [contentType, { schema: BYTES }]),
  )
  const errors = {
    400: errorAnswer('The query cannot run; a sentence says why', ERROR_EXAMPLES),
    ...CLIENT_ERRORS,
    422: BODY_ERRORS[422],
    ...UNAVAILABLE_ERRORS,
  }
  const requests = { ...REQUESTS, ...OTHERS }
  return {
    runQuery: { requests, answers: { 200: rows, ...errors, ...BODY_ERRORS } },
    runQueryByUrl: {
      requests: Object.fromEntries(
        Object.entries(requests).map(([key, { body, ...rest }]) => [
          key,
          { ...rest, parameters: { q: JSON.stringify(body) } },
        ]),
      ),
      answers: {
        200: rows,
        206: { description: 'The bytes of a whole answer that `Range` names', content: parts },
        304: { description: 'The answer is the one that `If-None-Match` names; without a body' },
        416: errorAnswer('`Range` names bytes behind the end of the answer'),
        ...errors,
      },
    },
  }
}

const BYTES = { type: 'string', format: 'binary' }

function contentOf(contentType: string) {
  switch (contentType) {
    case OUTPUTS.csv.contentType:
      return { schema: TEXT, examples: CSV_EXAMPLES }
    case OUTPUTS.json.contentType:
      return { schema: DOCUMENT, examples: { document: ROWS_AS_JSON } }
    case OUTPUTS.ndjson.contentType:
      return { schema: TEXT, examples: { lines: LINES } }
    default:
      return { schema: BYTES }
  }
}
