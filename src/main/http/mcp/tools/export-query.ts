import { alternatives } from '../../../../plan/alternatives.ts'
import { checkMembers, describe, readText, reject } from '../../../json/shape.ts'
import { OUTPUT_NAMES, OUTPUTS } from '../../../output/outputs.ts'
import { createQueryCheck } from '../../../statements/check-query.ts'
import { queryAlone, receivedQuery, runnable } from '../../requests/received-query.ts'
import type { Services } from '../../services.ts'
import { type Tool, textAnswer } from '../tool.ts'

const FORMATS = ['parquet', 'arrow', 'csv'] as const

/** The most characters of a query in a recipe, which has it twice. */
const MOST_CHARACTERS = 65_536

/** The tool that says how the whole answer to a query is got as a file. It runs nothing. */
export function createExportQuery({
  catalog,
  config,
  formats,
  queries,
}: Pick<Services, 'catalog' | 'config' | 'formats' | 'queries'>): Tool {
  const checkQuery = createQueryCheck({ formats, catalog: catalog.name })
  return {
    name: 'export_query',
    title: 'Export a query',
    description:
      'Says how to get all rows of an SQL query as a file: an HTTP request, and a program in Python that sends it. The query is checked and not run.',
    inputSchema: {
      type: 'object',
      properties: {
        sql: { type: 'string', description: 'One SELECT' },
        format: { type: 'string', enum: [...FORMATS], description: 'The format of the file' },
      },
      required: ['sql', 'format'],
      additionalProperties: false,
    },
    async call(args, { caller, caching, host, signal }) {
      checkMembers(args, ['sql', 'format'], '')
      const sql = readText(args.get('sql'), 'sql')
      if (sql.length > MOST_CHARACTERS)
        reject('sql', `it has ${sql.length} characters, more than the ${MOST_CHARACTERS} of a recipe`)
      const format = FORMATS.find((each) => each === args.get('format'))
      if (format === undefined)
        return reject('format', `expected ${alternatives(FORMATS)}, found ${describe(args.get('format'))}`)
      const body = { sql, output: { format } }
      const query = queryAlone(runnable(receivedQuery(JSON.stringify(body), caching, formats), config))
      checkQuery(sql)
      await queries.answerColumns(query, caller, signal)
      const path = `${config.basePath}/api/query`
      const url = `http://${host}${path}`
      return textAnswer(
        JSON.stringify({
          note: `The file has all rows of the query. Behind a proxy with TLS the address begins with https. Where the service asks who you are, add the header Authorization.`,
          format,
          request: { method: 'POST', path, headers: { 'Content-Type': 'application/json' }, body },
          python: program(url, body, OUTPUTS[OUTPUT_NAMES.get(format) ?? 'stream'].fileName ?? 'output'),
        }),
      )
    },
  }
}

/** A program that saves the answer. JSON of objects and strings is Python as well. */
function program(url: string, body: object, fileName: string): string {
  return `import json
import shutil
import urllib.request

query = ${JSON.stringify(body)}
request = urllib.request.Request(
    ${JSON.stringify(url)}, json.dumps(query).encode(), {"Content-Type": "application/json"}
)
with urllib.request.urlopen(request) as answer, open(${JSON.stringify(fileName)}, "wb") as file:
    shutil.copyfileobj(answer, file)
`
}
