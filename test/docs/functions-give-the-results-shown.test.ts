import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { FUNCTION_FAMILIES } from '../../src/plan/functions/functions.ts'
import { startSampleService } from '../service/sample-service.ts'

const PAGE = join(import.meta.dirname, '../../docs/reference/functions.md')

const { ask } = await startSampleService(t)

t.test('each example of an operator has the result beside it', async (t) => {
  // Examples of functions are those of the table of functions, which another test evaluates.
  const [operators = ''] = readFileSync(PAGE, 'utf8').split(`\n## ${FUNCTION_FAMILIES[0]?.title}\n`)
  const rows = [...operators.matchAll(/^\| .+ \| `(.+)` \| (null|`.*`) \|$/gm)]
  t.ok(rows.length > 10)
  for (const [, code = '', shown = ''] of rows) {
    const expression = code.replaceAll('\\|', '|')
    const sql = `SELECT ${expression} IS NULL AS is_null, CAST(${expression} AS VARCHAR) AS text, ${expression} AS result`
    const answer = await ask(JSON.stringify({ sql, output: { format: 'csv' } }))
    const [, line = ''] = (await answer.text()).split('\n')
    if (shown === 'null') t.match(line, /^true,/, expression)
    else t.ok(line.startsWith('false,') && line.endsWith(`,${shown.slice(1, -1)}`), `${expression}: ${line}`)
  }
})
