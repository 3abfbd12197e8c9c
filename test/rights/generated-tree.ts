import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { generator } from '../support/generate.ts'
import { FILES, FOLDERS } from './generated-paths.ts'
import { MARKER } from './one-by-one.ts'

/** Numbers in the files of a tree, by their paths without symbolic links. */
export type Numbers = ReadonlyMap<string, number>

/**
 * Makes folders and files under a few names, with links to files and folders, out of the root and to nothing. Each file is CSV with one
 * number of its own. `hasStores`: some folders have a marker, which is empty of meaning: they can be found, and not be read.
 */
export function makeTree(root: string, name: string, hasStores = false): Numbers {
  const random = generator(name)
  const numbers = new Map<string, number>()
  const folders = ['']
  for (let depth = 0, from = 0; depth < 3; depth++) {
    const end = folders.length
    for (; from < end; from++)
      for (const folder of FOLDERS)
        if (random(depth + 2) === 0) folders.push(join(folders[from] ?? '', folder))
  }
  for (const folder of folders) {
    mkdirSync(join(root, folder), { recursive: true })
    if (hasStores && folder !== '' && random(4) === 0) writeFileSync(join(root, folder, MARKER), '{}')
    for (const file of FILES) {
      if (random(3) === 0) continue
      const path = join(folder, file)
      numbers.set(path, numbers.size)
      writeFileSync(join(root, path), `n\n${numbers.size - 1}\n`)
    }
    if (random(6) === 0) writeFileSync(join(root, folder, '_SUCCESS.csv'), '')
  }
  const files = [...numbers.keys()]
  writeFileSync(join(dirname(root), `${name}-outside.csv`), 'n\n-1\n')
  const ends = [...files, ...folders.filter((folder) => folder !== ''), 'nothing', `../${name}-outside.csv`]
  for (let link = 0; link < 12; link++) {
    const at = join(folders[random(folders.length)] ?? '', `${['a', 'l', '.l'][random(3)]}${link}.csv`)
    const end = ends[random(ends.length)] ?? ''
    symlinkSync(relative(join(root, dirname(at)), join(root, end)) || '.', join(root, at))
  }
  return numbers
}
