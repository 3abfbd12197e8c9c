import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')

/** The modules that a file imports when it is loaded, and not the types that it imports. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^(?:import|export) (?!type\b)(?:[^'"]*? from )?'([^']+)'/gm)].map(
    ([, specifier = '']) => specifier,
  )
}

t.test('so that a service which nobody asks by MCP has none of it in memory', async (t) => {
  const start = join(ROOT, 'src/main/run.ts')
  const files = new Set([start])
  const loading: string[] = []
  for (const file of files)
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith('.')) files.add(join(dirname(file), specifier))
      else if (specifier.startsWith('@modelcontextprotocol')) loading.push(relative(ROOT, file))
    }
  t.ok(files.has(join(ROOT, 'src/main/http/mcp/mcp-route.ts')), 'the route is there from the start')
  t.notOk(files.has(join(ROOT, 'src/main/http/mcp/message-handler.ts')))
  t.same(loading, [])
})
