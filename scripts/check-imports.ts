/**
 * Checks the direction of imports (docs/architecture/rooms.md): each folder imports only itself and folders that are listed before it.
 * A file belongs to the innermost listed folder that it lies in. No files of `src` and `bench` import each other in a circle, not even for
 * types.
 * Names each import that breaks these rules, and exits with code 1 if there are any.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Each line is one level. Its folders must not import each other; they may import those of earlier lines in the same part. */
const LEVELS: readonly (readonly string[])[] = [
  ['src/plan'],
  ['src/wasm'],
  ['src/workers/store'],
  ['src/workers/formats'],
  ['src/workers/state'],
  ['src/workers/units'],
  ['src/workers/rows'],
  ['src/workers/writers'],
  ['src/workers/sql'],
  ['src/workers/tasks'],
  ['src/workers'],
  ['src/main/json'],
  ['src/main/patterns'],
  ['src/main/auth'],
  ['src/main/secrets'],
  ['src/main/settings'],
  ['src/main/sqlite', 'src/main/threads', 'src/main/jobs', 'src/main/gauges'],
  ['src/main/remotes'],
  ['src/main/sql/text'],
  ['src/main/sql/grammar'],
  ['src/main/sql/gate'],
  ['src/main/catalog'],
  ['src/main/history', 'src/main/learned'],
  ['src/main/dispatch', 'src/main/datasets'],
  ['src/main/crawlers/walk'],
  ['src/main/crawlers'],
  ['src/main/output'],
  ['src/main/dataset-files'],
  ['src/main/query/request'],
  ['src/main/query/explain'],
  ['src/main/query/source'],
  ['src/main/query/bind'],
  ['src/main/query/plan'],
  ['src/main/query/explained'],
  ['src/main/query/duckdb'],
  ['src/main/query/core'],
  ['src/main/query/run'],
  ['src/main/file-statistics'],
  ['src/main/statements'],
  ['src/main/answers'],
  ['src/main/http'],
  ['src/main'],
  ['src/sample'],
]

/** The parts of the program, and which other parts each may import. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  plan: [],
  wasm: ['plan'],
  workers: ['wasm', 'plan'],
  main: ['plan'],
  sample: [],
}

/** Packages that only some parts may load. They keep readers, writers and DuckDB out of the main thread. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'apache-arrow': ['sample'],
  'parquet-wasm': ['wasm', 'sample'],
  '@duckdb': ['wasm'],
  lerc: ['wasm'],
  piscina: ['main', 'workers'],
  zarrita: ['workers'],
  fastify: ['main'],
  'better-sqlite3': ['main'],
  jose: ['main'],
  pg: ['main'],
  '@modelcontextprotocol': ['main'],
}

const imports = new Map(
  globSync(['src/**/*.ts', 'bench/**/*.ts']).map((file) => [
    file,
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
      ([, specifier = '']) => specifier,
    ),
  ]),
)
const faults = [
  ...[...imports.keys()].filter((file) => file.startsWith('src/')).flatMap(wrongImports),
  ...circles(),
]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0

function wrongImports(file: string): string[] {
  const part = partOf(file)
  return (imports.get(file) ?? []).flatMap((specifier) => {
    const fault = `${file}: ${folderOf(file)} must not import ${specifier}`
    if (!specifier.startsWith('.')) {
      const parts = PACKAGES[specifier.split('/')[0] ?? '']
      return parts && !parts.includes(part) ? [`${file}: ${part} must not import ${specifier}`] : []
    }
    const target = targetOf(file, specifier)
    if (partOf(target) !== part)
      return PARTS[part]?.includes(partOf(target)) ? [] : [`${file}: ${part} must not import ${specifier}`]
    const isBefore = folderOf(target) === folderOf(file) || levelOf(target) < levelOf(file)
    return isBefore ? [] : [fault]
  })
}

function targetOf(file: string, specifier: string): string {
  return normalize(join(dirname(file), specifier))
}

function partOf(file: string): string {
  return file.split('/')[1] ?? ''
}

function folderOf(file: string): string {
  const folders = LEVELS.flat().filter((folder) => file.startsWith(`${folder}/`))
  return folders.toSorted((a, b) => b.length - a.length)[0] ?? dirname(file)
}

function levelOf(file: string): number {
  return LEVELS.findIndex((folders) => folders.includes(folderOf(file)))
}

/** A line for each set of files that import each other: strongly connected components, by Tarjan's algorithm. */
function circles(): string[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const fileCircles: string[] = []
  const visit = (file: string): void => {
    order.set(file, order.size)
    lowest.set(file, order.size - 1)
    path.push(file)
    for (const specifier of imports.get(file) ?? []) {
      const target = targetOf(file, specifier)
      if (!specifier.startsWith('.') || !imports.has(target)) continue
      if (!order.has(target)) visit(target)
      if (path.includes(target)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0))
    }
    if (lowest.get(file) !== order.get(file)) return
    const members = path.splice(path.lastIndexOf(file))
    if (members.length > 1) fileCircles.push(`a circle of files: ${members.join(', ')}`)
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return fileCircles
}
