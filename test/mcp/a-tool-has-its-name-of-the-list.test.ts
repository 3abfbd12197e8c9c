import t from 'tap'
import type { CatalogSnapshot, CatalogTable } from '../../src/main/catalog/catalog.ts'
import { PLACEHOLDER } from '../../src/main/catalog/catalog.ts'
import { createToolNames, tablesNamedLike } from '../../src/main/http/mcp/tools/tool-names.ts'
import { fc } from '../support/generate.ts'

function tableOf(name: string, tool_name: string | undefined): CatalogTable {
  const extensions = { mcp: { enabled: true, ...(tool_name !== undefined && { tool_name }) } }
  return { ...PLACEHOLDER, name, definition: { extensions } } as unknown as CatalogTable
}

/** Names that often are the same, with numbers, or cut. */
const NAMES = fc
  .tuple(
    fc.constantFrom(
      'a',
      'b',
      'a_',
      'query_a',
      'x'.repeat(39),
      'x'.repeat(40),
      'y'.repeat(64),
      `${'z'.repeat(30)}${'_1'.repeat(17)}`,
    ),
    fc.constantFrom('', '', '_2', '_3', '_2_2', '2', '_', '_11'),
  )
  .map(([stem, end]) => (stem + end).slice(0, 64))

t.test('whatever tables there are, one is found by the name that the list of all gives it', async () => {
  await fc.assert(
    fc.property(
      fc.array(
        fc.record({ name: NAMES, tool: fc.option(NAMES, { nil: undefined }), isVisible: fc.boolean() }),
        {
          maxLength: 24,
        },
      ),
      (written) => {
        const tables = written.map(({ name, tool }) => tableOf(name, tool))
        const visible = new Set(tables.filter((_, index) => written[index]?.isVisible))
        const snapshot: CatalogSnapshot = { all: () => tables, find: () => null }
        const reserved = ['a_2', 'run_sql']
        const nameOf = createToolNames(reserved)
        const byName = new Map([...visible].map((table) => [nameOf(table), table]))
        if (byName.size !== visible.size) return false
        return [...byName].every(([name, table]) => {
          const like = tablesNamedLike(name, snapshot)
          const nameAmong = createToolNames(reserved)
          const among = new Map(
            like.flatMap((each) => (visible.has(each) ? [[nameAmong(each), each] as const] : [])),
          )
          return among.get(name) === table
        })
      },
    ),
  )
})

t.test('other tables are not looked at', async (t) => {
  const tables = ['a', 'a_7', 'b', 'c'].map((name) => tableOf(name, undefined))
  const snapshot: CatalogSnapshot = { all: () => tables, find: () => null }
  t.same(
    tablesNamedLike('query_a', snapshot).map(({ name }) => name),
    ['a', 'a_7'],
  )
  t.same(tablesNamedLike('nothing', snapshot), [])
})
