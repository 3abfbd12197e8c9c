import {
  BODY_ERRORS,
  CLIENT_ERRORS,
  errorAnswer,
  INTEGER,
  jsonAnswer,
  listOf,
  OBJECT,
  type Operation,
  objectOf,
  TEXT,
  TEXTS,
  UNAVAILABLE_ERRORS,
} from './operation.ts'
import { REQUESTS } from './run-query.ts'
import { SAMPLE_FILE } from './sample-queries.ts'

const PLAN = listOf(
  objectOf({
    Plan: {
      type: 'object',
      description: 'A node of the plan',
      properties: {
        'Node Type': TEXT,
        Output: { ...TEXTS, description: 'Names of columns' },
        Plans: { type: 'array', items: OBJECT, description: 'The nodes below it' },
      },
    },
  }),
)

const METRICS = objectOf({
  query_id: { type: 'string', format: 'uuid' },
  username: TEXT,
  finished_at: { type: 'string', format: 'date-time' },
  execution_time_ms: { type: 'number' },
  input_rows: { type: 'integer', description: 'Rows scanned' },
  input_bytes: { type: 'integer', description: 'Bytes read' },
  result_num_rows: INTEGER,
  result_size_in_bytes: INTEGER,
  file_paths: TEXTS,
  query: { type: 'object', description: 'The request with every member of its form' },
  stage_times_ms: OBJECT,
})

/** A small query, so that its plan can be read. */
const SMALL = {
  small: {
    summary: 'Two columns of one file',
    body: {
      select: ['time', 'temperature'],
      from: { parquet: { paths: [SAMPLE_FILE] } },
      filters: [{ column: 'temperature', gt: 23.2 }],
    },
    isOfSample: true,
  },
}

const NO_MEMBER = { unknown_member: { summary: 'No query', body: { selct: ['time'] } } }

const REFUSED = {
  400: errorAnswer('The query cannot run; a sentence says why', {
    unknown_member: 'selct: unknown member, did you mean "select"?',
  }),
  ...CLIENT_ERRORS,
  ...BODY_ERRORS,
}

/** The operations that check and explain queries, and tell the metrics of finished ones. */
export const QUERY_OPERATIONS: Readonly<Record<string, Operation>> = {
  parseQuery: {
    requests: { ...REQUESTS, ...NO_MEMBER },
    answers: { 200: { description: 'The query is well formed; without a body' }, ...REFUSED },
  },
  explainQuery: {
    requests: { ...SMALL, formats: REQUESTS.formats, ...NO_MEMBER },
    answers: {
      200: jsonAnswer('The plan', PLAN, {
        small: [{ Plan: { 'Node Type': 'Projection', Output: ['time', 'temperature'] } }],
        formats: [{ Plan: { 'Node Type': 'OrderBy' } }],
      }),
      ...REFUSED,
      ...UNAVAILABLE_ERRORS,
    },
  },
  explainAnalyzeQuery: {
    requests: { ...SMALL, formats: REQUESTS.formats, ...NO_MEMBER },
    answers: {
      200: jsonAnswer('The plan, with what was measured', PLAN, {
        small: [
          {
            Plan: {
              'Node Type': 'ScanExec',
              'Actual Rows': 4,
              'Actual Total Time': 4.2,
              Extras: { rows_scanned: 9, bytes_read: 812 },
              Plans: [
                {
                  'Node Type': 'Projection',
                  'Actual Rows': 4,
                  'Actual Total Time': 0.01,
                  Plans: [
                    {
                      'Node Type': 'Filter',
                      'Actual Rows': 4,
                      'Actual Total Time': 0.3,
                      Plans: [
                        { 'Node Type': 'TableScan', 'Actual Rows': 9, 'Actual Total Time': 0.9, Plans: [] },
                      ],
                    },
                  ],
                },
              ],
            },
          },
        ],
        formats: [{ Plan: { 'Node Type': 'StatementExec', 'Actual Rows': 2, 'Actual Total Time': 6.1 } }],
      }),
      ...REFUSED,
      ...UNAVAILABLE_ERRORS,
    },
  },
  getQueryMetrics: {
    requests: {
      unknown: {
        summary: 'The id of no query; use the header of an answer',
        parameters: { query_id: '6f0c3f5e-8f0a-4c4f-9a0e-0f6d7a0b7c11' },
      },
      no_id: { summary: 'Not an id', parameters: { query_id: 'last' } },
    },
    answers: {
      200: jsonAnswer('What the query has cost', METRICS),
      400: errorAnswer('The id is not a UUID', { no_id: 'Invalid UUID format' }),
      404: errorAnswer('There is no such query that the caller may see', { unknown: 'Query ID not found' }),
      ...CLIENT_ERRORS,
    },
  },
}
