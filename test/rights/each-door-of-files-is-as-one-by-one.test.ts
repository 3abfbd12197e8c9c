import { realpathSync } from 'node:fs'
import t from 'tap'
import { EVERYTHING, type Rights } from '../../src/main/auth/rights/rights.ts'
import { fc } from '../support/generate.ts'
import { untilSettled } from '../support/settled.ts'
import { type Asked, type EnforcedService, startEnforced } from './enforced.ts'
import { globsOf, rulesOf } from './generated-paths.ts'
import { makeTree } from './generated-tree.ts'
import { filesOneByOne, mayReadName, readOneByOne, refusedPaths, rightsOfRules } from './one-by-one.ts'

/** Writes a text as a constant of SQL. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const csv = { format: 'csv' }

/** How the rows of files are asked for. Each answers with the numbers in them. */
const READS: Readonly<Record<string, (paths: readonly string[]) => object>> = {
  'JSON on the core': (paths) => ({ from: { csv: { paths } }, select: ['n'], output: csv }),
  'JSON in DuckDB': (paths) => ({
    from: { csv: { paths } },
    select: [{ function: 'abs', args: ['n'], alias: 'n' }],
    output: csv,
  }),
  'SQL on the core': (paths) => ({ sql: `SELECT n FROM read_csv(${listed(paths)})`, output: csv }),
  'SQL in DuckDB': (paths) => ({
    sql: `SELECT n + 0 * row_number() OVER () AS n FROM read_csv(${listed(paths)})`,
    output: csv,
  }),
  'a subquery': (paths) => ({
    sql: `SELECT 1 AS one, n FROM (SELECT n FROM (FROM read_csv(${listed(paths)}))) WHERE n >= 0`,
    output: csv,
  }),
}

/** What is asked about files, and not of them. */
const ASKS: Readonly<Record<string, (paths: readonly string[]) => object>> = {
  'a schema': (paths) => ({ sql: `FROM read_csv_schema(${listed(paths)})` }),
  DESCRIBE: (paths) => ({ sql: `DESCRIBE SELECT * FROM read_csv(${listed(paths)})` }),
  SUMMARIZE: (paths) => ({ sql: `SUMMARIZE SELECT * FROM read_csv(${listed(paths)})` }),
  EXPLAIN: (paths) => ({ sql: `EXPLAIN SELECT n FROM read_csv(${listed(paths)})` }),
  'a query of no rows': (paths) => ({ sql: `SELECT n FROM read_csv(${listed(paths)}) LIMIT 0` }),
  'a query that needs no rows': (paths) => ({
    sql: `SELECT 1 AS one FROM read_csv(${listed(paths)}) WHERE false`,
  }),
}

function listed(paths: readonly string[]): string {
  const [only] = paths
  return paths.length === 1 && only !== undefined ? quoted(only) : `[${paths.map(quoted).join(', ')}]`
}

t.test(
  'whatever the rules are, each door shows what an evaluator finds that looks at each file',
  async (t) => {
    const service = await startEnforced(t, {})
    const root = realpathSync(service.datasets)
    const numbers = makeTree(root, 'doors')
    await untilSettled(root)
    const paths = [...numbers.keys()]
    const lists = fc.oneof(
      globsOf(paths).map((glob) => [glob]),
      fc.array(globsOf(paths), { minLength: 2, maxLength: 3 }),
    )
    const counts = { read: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(rulesOf(paths), lists, fc.nat(), async (rules, asked, turn) => {
        await service.allow(...rules)
        const rights = rightsOfRules(rules)
        const found = readOneByOne(root, asked, rights)
        if (found !== null) counts.read++
        else if (readOneByOne(root, asked, EVERYTHING) !== null) counts.refused++
        const told = JSON.stringify({ rules, asked })
        const refused = { status: 400, text: JSON.stringify(refusedPaths(...asked)) }
        const reads = Object.entries(READS)
        // Two doors of each kind for each case, so that many cases are tried.
        for (const index of [turn, turn + 1 + (turn % 3)]) {
          const [door = '', query] = reads[index % reads.length] ?? []
          const answer = await service.asked(query?.(asked) ?? {})
          if (found === null) t.same(answer, refused, `${door} ${told}`)
          else
            t.same(
              numbersOf(answer),
              found.map((path) => numbers.get(path) ?? 0).toSorted((a, b) => a - b),
              `${door} ${told}`,
            )
        }
        const [about = '', question] = Object.entries(ASKS)[turn % Object.keys(ASKS).length] ?? []
        const answer = await service.asked(question?.(asked) ?? {})
        if (found === null) t.same(answer, refused, `${about} ${told}`)
        else t.equal(answer.status, 200, `${about} ${told} ${answer.text.slice(0, 200)}`)
        await sameListings(service, asked[0] ?? '', root, rights, told)
      }),
      { numRuns: 150 },
    )
    t.ok(counts.read > 5 && counts.refused > 5, JSON.stringify(counts))

    async function sameListings(
      { ask, asked }: EnforcedService,
      pattern: string,
      root: string,
      rights: Rights,
      told: string,
    ): Promise<void> {
      const expected = filesOneByOne(root, pattern, true)
        .filter((name) => mayReadName(rights, name))
        .map(({ path }) => path)
        .toSorted()
      const query = `?pattern=${encodeURIComponent(pattern)}`
      const entries = JSON.parse((await ask(`/api/list-datasets${query}`)).text) as readonly {
        file_path: string
      }[]
      t.same(entries.map((entry) => entry.file_path).toSorted(), expected, `list-datasets ${told}`)
      const page = JSON.parse((await ask(`/api/datasets${query}&offset=1&limit=2`)).text) as readonly string[]
      t.same(page, entries.map((entry) => entry.file_path).slice(1, 3), `datasets ${told}`)
      const all = filesOneByOne(root, '**/*', true).filter((name) => mayReadName(rights, name))
      t.equal((await ask('/api/total-datasets')).text, String(all.length), `total-datasets ${told}`)
      const sql = `SELECT file_name FROM list_datasets(${quoted(pattern)}) ORDER BY ALL`
      const listing = await asked({ sql, output: csv })
      t.same(listing.text.trim().split('\n').slice(1).toSorted(), expected, `list_datasets ${told}`)
      const schema = await ask(`/api/dataset-schema?file=${encodeURIComponent(pattern)}`)
      const known = /\.csv\/*$/i.test(pattern)
      if (readOneByOne(root, [pattern], rights) === null || !known)
        t.ok(
          schema.status === 400 && (!known || schema.text === refusedPaths(pattern)),
          `dataset-schema ${told} ${schema.text.slice(0, 200)}`,
        )
      else t.equal(schema.status, 200, `dataset-schema ${told} ${schema.text.slice(0, 200)}`)
    }
  },
)

/** The numbers in an answer as CSV. */
function numbersOf({ status, text }: Asked): readonly number[] | string {
  if (status !== 200) return text
  const [header = '', ...lines] = text.trim().split(/\r?\n/)
  const column = header.split(',').indexOf('n')
  return lines.map((line) => Number(line.split(',')[column])).toSorted((a, b) => a - b)
}
