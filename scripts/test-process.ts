/**
 * Runs test files one after the other in this process: `test-process.ts FILE...`, in the folder of package.json. Writes TAP with a subtest
 * for each file, by its name. Modules of `src` and compiled WebAssembly are those of the process, so only the first file waits for them.
 * Modules of `test` are loaded for each file anew: what a helper has begun ends with the file that began it.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import { readBuiltFiles, startThreadsFrom } from '../src/main/threads/built-files.ts'
import { endInOrder } from './end-tests.ts'

const TESTS = pathToFileURL(join(process.cwd(), 'test/')).href

const DOMAIN = pathToFileURL(join(import.meta.dirname, 'error-domain.ts')).href

/** What `import t from 'tap'` gives in the modules of a test file, by the query that their URLs have. */
const tests = new Map<string, Test>()
const KEY = 'halocline.tests'

/** V8 compiles bytes once for all threads of a process, as long as one of them has the module. */
const modules = ['core', 'codecs'].map((name) => {
  const path = join(import.meta.dirname, `../src/wasm/${name}.wasm`)
  return new WebAssembly.Module(readFileSync(path))
})

Object.assign(globalThis, { [KEY]: tests, modules })

// Threads, and the programs that tests start, load bundles that `run-tests.ts` has made. A file that runs alone loads the modules.
startThreadsFrom(readBuiltFiles(process.env['BUNDLED_WORKERS'] ?? ''))

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'async-hook-domain') return { url: DOMAIN, shortCircuit: true }
    const query = context.parentURL?.startsWith(TESTS) ? new URL(context.parentURL).search : ''
    if (query !== '' && specifier === 'tap')
      return { url: `test:tap${query}`, format: 'module', shortCircuit: true }
    const resolved = next(specifier, context)
    const isHelper = query !== '' && resolved.url.startsWith(TESTS) && resolved.url.endsWith('.ts')
    return isHelper ? { ...resolved, url: resolved.url + query } : resolved
  },
  load(url, context, next) {
    if (!url.startsWith('test:tap')) return next(url, context)
    const query = JSON.stringify(url.slice('test:tap'.length))
    const source = `export default globalThis[${JSON.stringify(KEY)}].get(${query})`
    return { source, format: 'module', shortCircuit: true }
  },
})

// Not before the hooks are registered.
const { default: t } = await import('tap')
t.beforeEach(endInOrder)
for (const [index, file] of process.argv.slice(2).entries()) {
  const query = `?file=${index}`
  // As if the file had a process of its own.
  const testdir = join(process.cwd(), '.tap/fixtures', file.replace(/[^a-zA-Z0-9._-]+/g, '-'))
  await t.test(file, { testdir }, async (test) => {
    tests.set(query, test)
    await import(pathToFileURL(file).href + query)
  })
  // If it keeps the process running, this says whose it is.
  if (process.getActiveResourcesInfo().includes('TCPServerWrap'))
    console.error(`${file} has left a server open.`)
}
