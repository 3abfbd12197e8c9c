import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const SOURCE = join(import.meta.dirname, '../../src/wasm/src')
const ROOT = readFileSync(join(SOURCE, 'lib.rs'), 'utf8')

/** The modules in the order in which the head of `lib.rs` lists them. */
function listedModules(): readonly string[] {
  const layers = ROOT.split('\n').filter((line) => line.startsWith('//! * '))
  return layers.flatMap((line) => [...line.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

/** What a file uses of the crate, tests in it aside. */
function modulesUsed(file: string): readonly string[] {
  const code = readFileSync(join(SOURCE, file), 'utf8')
    .replace(/\n#\[cfg\(test\)\]\s*mod \w+ \{[\s\S]*$/, '')
    .replaceAll(/\/\/.*/g, '')
  const single = [...code.matchAll(/\bcrate::(\w+)/g)].map(([, name = '']) => name)
  const groups = [...code.matchAll(/\bcrate::\{([^;]*)\};/g)].map(([, names = '']) => names)
  return [
    ...single,
    ...groups.flatMap((names) => names.split(/,(?![^{]*\})/).map((name) => /\w+/.exec(name)?.[0] ?? '')),
  ]
}

t.test('each module is listed once', async (t) => {
  const modules = [...ROOT.matchAll(/^(?:pub )?mod (\w+);$/gm)].map(([, name = '']) => name)
  t.same(listedModules().toSorted(), modules.toSorted())
})

t.test('a module uses only those that are listed before it', async (t) => {
  const places = new Map(listedModules().map((name, place) => [name, place]))
  for (const file of globSync('**/*.rs', { cwd: SOURCE })) {
    const place = places.get(file.split('/')[0]?.replace('.rs', '') ?? '')
    if (place === undefined) continue
    const later = modulesUsed(file).filter((name) => (places.get(name) ?? -1) > place)
    t.same(later, [], file)
  }
})
