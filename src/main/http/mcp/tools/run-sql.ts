import { checkMembers, readText } from '../../../json/shape.ts'
import type { Services } from '../../services.ts'
import { MOST_ROWS, printRows } from '../bounded-rows.ts'
import { queryRows } from '../query-rows.ts'
import type { Tool } from '../tool.ts'

const GUIDANCE =
  'The query gives more than one answer has. Aggregate, filter, name fewer columns, or page with ORDER BY, LIMIT and OFFSET; export_query says how to get all of it as a file.'

/** The tool that runs a statement which changes nothing. */
export function createRunSql(
  services: Pick<Services, 'answers' | 'config' | 'formats' | 'statements'>,
): Tool {
  return {
    name: 'run_sql',
    title: 'Run SQL',
    description: `Runs one SQL query (the dialect of DuckDB), or EXPLAIN, DESCRIBE, SUMMARIZE or SHOW, and gives its rows as JSON objects, at most ${MOST_ROWS}. Files are read by functions such as read_parquet('folder/*.parquet') and read_netcdf('file.nc'); list_datasets() lists them. Nothing can be changed.`,
    inputSchema: {
      type: 'object',
      properties: { sql: { type: 'string', description: 'One statement' } },
      required: ['sql'],
      additionalProperties: false,
    },
    async call(args, call) {
      checkMembers(args, ['sql'], '')
      const sql = readText(args.get('sql'), 'sql')
      const rows = await queryRows(services, { sql }, MOST_ROWS, call)
      return { text: printRows(rows, MOST_ROWS, GUIDANCE), notice: rows.notice, queryId: rows.id }
    },
  }
}
