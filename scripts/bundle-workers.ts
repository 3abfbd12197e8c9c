/**
 * Bundles the modules of threads, so that a worker of a test loads a few files instead of 300: 0.12 s of CPU instead of 0.54. Paths relative
 * to a module stay those of its source.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildOptions, build, type Plugin, stop } from 'esbuild'

/** The worker thread of the service, and those of tests, which wrap it. What several of them import is in files that they share. */
const WORKERS = ['src/workers/worker.ts', 'test/**/{worker,worker-*}.ts']

/** The other threads of the service. They are small: each is one file. */
const THREADS = ['src/main/**/*-thread.ts']

/** What tests start as a program again and again, to kill it. */
const PROGRAMS = ['test/**/dying-{server,service}.ts']

const SOURCE = /\/(?:src|test)\/.*\.ts$/

const OWN_URLS: Plugin = {
  name: 'own URLs',
  setup: ({ onLoad }) =>
    onLoad({ filter: SOURCE }, ({ path }) => ({ loader: 'ts', contents: withOwnUrl(path) })),
}

/** `better-sqlite3` in the modules of the service is that of tests. */
const SQLITE_OF_TESTS: Plugin = {
  name: 'SQLite of tests',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^better-sqlite3$/ }, ({ importer }) =>
      SOURCE.test(importer) ? { path: 'sqlite', namespace: 'of tests' } : undefined,
    )
    onLoad({ filter: /^sqlite$/, namespace: 'of tests' }, () => ({
      contents: "export { UnsyncedDatabase as default } from './unsynced-sqlite.ts'",
      resolveDir: import.meta.dirname,
    }))
  },
}

/** Writes the module of each thread to its path below `folder`, with `.js` at its end. */
export async function bundleWorkers(folder: string): Promise<void> {
  const options: BuildOptions = {
    outbase: '.',
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    packages: 'external',
    logLevel: 'warning',
  }
  // Tests of the runner have none.
  await Promise.all([
    bundle(WORKERS, { ...options, splitting: true, plugins: [OWN_URLS] }),
    bundle(PROGRAMS, { ...options, plugins: [OWN_URLS] }),
    bundle(THREADS, { ...options, plugins: [SQLITE_OF_TESTS, OWN_URLS] }),
  ])
  // Its process goes on until this one ends.
  await stop()
}

async function bundle(patterns: string[], options: BuildOptions): Promise<void> {
  const entryPoints = globSync(patterns)
  if (entryPoints.length > 0) await build({ ...options, entryPoints })
}

function withOwnUrl(path: string): string {
  return readFileSync(path, 'utf8')
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
}
