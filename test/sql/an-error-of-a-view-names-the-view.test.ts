import { writeFileSync } from 'node:fs'
import t from 'tap'
import { startAskedService } from '../answers/asking.ts'
import { changingCatalog, csvSource } from '../catalog/two-tables.ts'

const catalog = changingCatalog()
const service = await startAskedService(t, { catalog })
writeFileSync(service.at('a.csv'), 'n,kind\n1,a\n2,b\n')
catalog.define('one', csvSource('a.csv'))
catalog.define('gone', csvSource('nowhere.csv'))
catalog.view('cast', 'SELECT n, CAST(kind AS INTEGER) AS number FROM one', 'one')
catalog.view('over', 'SELECT number + 1 AS number FROM public.cast', 'cast')
catalog.view('columns', 'SELECT n, nothing FROM one', 'one')
catalog.view('functions', 'SELECT no_such_function(n) AS n FROM one', 'one')
catalog.view('higher', 'SELECT n FROM functions', 'functions')
catalog.view('without', 'SELECT n FROM gone', 'gone')
catalog.view('files', "SELECT * FROM read_csv('nowhere.csv')")
catalog.view('good', 'SELECT n, kind FROM one', 'one')
await service.settle()

async function refusal(sql: string): Promise<string> {
  const response = await service.post({ sql })
  if (response.status === 400) return String(await response.json())
  // Rows may have left before the one that fails.
  return `${response.status} ${await response.text().catch(String)}`
}

const long = ' '.repeat(5000)

t.test('and tells no place in its text', async (t) => {
  for (const [sql, message] of [
    [
      'SELECT +number +0 FROM over',
      /Could not convert string 'a' to INT32 .*\. This (?:is|may be) in one of the views "cast", "over"\.$/,
    ],
    [
      'SELECT +number +0 FROM public.cast',
      /^The view "cast" cannot be read: Conversion Error: Could not convert|This may be in the view "cast"\.$/,
    ],
    [
      'SELECT +n +0 FROM columns',
      /^The view "columns" cannot be read: Binder Error: Referenced column "nothing" not found/,
    ],
    [
      'SELECT +n +0 FROM higher',
      /^The view "higher" cannot be read: The view "functions" cannot be read: Catalog Error: Scalar Function with name no_such_function does not exist/,
    ],
    ['SELECT +n +0 FROM without', /The view "without" cannot be read: .*nowhere\.csv/],
    ['SELECT +n +0 FROM files', /^The view "files" cannot be read: .*nowhere\.csv/],
  ] as const)
    for (const text of [sql, `${sql}${long} WHERE true`, `SELECT 1 AS a UNION ALL (${sql})`]) {
      const found = await refusal(text)
      t.match(found, message, text.slice(0, 80))
      t.notMatch(found, /line \d+, column \d+/, text.slice(0, 80))
    }
})

t.test('an error of the statement has its place', async (t) => {
  t.match(
    await refusal('SELECT +n +0, nothing FROM good'),
    /^sql, line 1, column 15: Binder Error: Referenced column "nothing"/,
  )
  t.match(
    await refusal('SELECT +n +0\nFROM good WHERE CAST(kind AS INTEGER) > 0'),
    /^sql, line 2, column 17: Conversion Error/,
  )
  t.match(
    await refusal('SELECT +n +0 FROM good JOIN nowhere USING (n)'),
    /^sql, line 1, column 29: There is no table "nowhere"/,
  )
  t.match(
    await refusal(`SELECT +n +0, ${long} nothing FROM good`),
    /^Binder Error: Referenced column "nothing"/,
    'unless it may be one in a view',
  )
})
