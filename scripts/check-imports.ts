/**
 * The direction of imports, docs/architecture.md: each room imports only itself and the rooms that are listed before it. A room is
 * the longest folder of the list that a file lies in. No two files import each other, directly or through others, types included.
 * Exits 1 and names each import that goes against it.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Each line is one level: its rooms import none of each other, and those of the lines before that are in the same part. */
const LEVELS: readonly (readonly string[])[] = [
  ['src/plan'],
  ['src/wasm'],
  ['src/workers/store'],
  ['src/workers/formats'],
  ['src/workers/state'],
  ['src/workers/units'],
  ['src/workers/rows'],
  ['src/workers/sql'],
  ['src/workers/tasks'],
  ['src/workers'],
  ['src/main/settings'],
  ['src/main/auth'],
  ['src/main/catalog'],
  ['src/main/metrics'],
  ['src/main/dispatch', 'src/main/datasets'],
  ['src/main/output'],
  ['src/main/query/request'],
  ['src/main/query/explain'],
  ['src/main/query/source'],
  ['src/main/query/bind'],
  ['src/main/query/plan'],
  ['src/main/sql/gate'],
  ['src/main/sql/explained'],
  ['src/main/sql/duckdb'],
  ['src/main/sql/core'],
  ['src/main/query/run'],
  ['src/main/answers'],
  ['src/main/http'],
  ['src/main'],
  ['src/sample'],
]

/** What a part of the program may import of the others. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  plan: [],
  wasm: ['plan'],
  workers: ['wasm', 'plan'],
  main: ['plan'],
  sample: [],
}

/** Packages that only some parts may load: rows stay in the core, readers stay with the workers. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'apache-arrow': ['sample'],
  'parquet-wasm': ['wasm', 'sample'],
  '@duckdb': ['wasm'],
  piscina: ['main', 'workers'],
  fastify: ['main'],
  'better-sqlite3': ['main'],
}

const imports = new Map(
  globSync('src/**/*.ts').map((file) => [
    file,
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
      ([, specifier = '']) => specifier,
    ),
  ]),
)
const faults = [...[...imports.keys()].flatMap(wrongImports), ...circles()]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0

function wrongImports(file: string): string[] {
  const part = partOf(file)
  return (imports.get(file) ?? []).flatMap((specifier) => {
    const fault = `${file}: ${roomOf(file)} must not import ${specifier}`
    if (!specifier.startsWith('.')) {
      const parts = PACKAGES[specifier.split('/')[0] ?? '']
      return parts && !parts.includes(part) ? [`${file}: ${part} must not import ${specifier}`] : []
    }
    const target = targetOf(file, specifier)
    if (partOf(target) !== part)
      return PARTS[part]?.includes(partOf(target)) ? [] : [`${file}: ${part} must not import ${specifier}`]
    const isBefore = roomOf(target) === roomOf(file) || levelOf(target) < levelOf(file)
    return isBefore ? [] : [fault]
  })
}

function targetOf(file: string, specifier: string): string {
  return normalize(join(dirname(file), specifier))
}

function partOf(file: string): string {
  return file.split('/')[1] ?? ''
}

function roomOf(file: string): string {
  const rooms = LEVELS.flat().filter((room) => file.startsWith(`${room}/`))
  return rooms.toSorted((a, b) => b.length - a.length)[0] ?? dirname(file)
}

function levelOf(file: string): number {
  return LEVELS.findIndex((rooms) => rooms.includes(roomOf(file)))
}

/** Files that import each other, a line for each circle: the strongly connected components, by Tarjan's algorithm. */
function circles(): string[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const found: string[] = []
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
    if (members.length > 1) found.push(`a circle of files: ${members.join(', ')}`)
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return found
}
