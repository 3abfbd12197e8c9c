import type { BigIntStats } from 'node:fs'
import { dirname } from 'node:path'
import { isBelow } from './mounts.ts'

/** The most symbolic links in one path, as in Linux (path_resolution(7)). */
const MAX_LINKS = 40

export interface Steps {
  lstat(location: string): Promise<BigIntStats>
  readlink(location: string): Promise<string>
  /** Resolves a location and the names behind it in one call, where single steps must not be made. Null: they may. */
  elsewhere(location: string, rest: readonly string[]): Promise<string> | null
}

/**
 * `realpath(3)`, one name at a time, of a path relative to a folder, which is absolute and without symbolic links. So it is
 * known before each step which file system will be asked. Rejects with the error of the step, or ELOOP.
 */
export async function realpathBySteps(folder: string, path: string, steps: Steps): Promise<string> {
  let at = folder
  let remainingNames = path.split('/')
  let links = 0
  for (;;) {
    const [name, ...rest] = remainingNames
    if (name === undefined) return at
    remainingNames = rest
    if (name === '' || name === '.') continue
    if (name === '..') {
      at = dirname(at)
      continue
    }
    const next = at === '/' ? `/${name}` : `${at}/${name}`
    const elsewhere = steps.elsewhere(next, rest)
    if (elsewhere !== null) return elsewhere
    const stats = await steps.lstat(next)
    if (!stats.isSymbolicLink()) {
      if (rest.length > 0 && !stats.isDirectory()) throw systemError('ENOTDIR', next)
      at = next
      continue
    }
    if (++links > MAX_LINKS) throw systemError('ELOOP', next)
    const target = await steps.readlink(next)
    const isInside = isBelow(folder, target)
    if (isInside) at = folder
    else if (target.startsWith('/')) at = '/'
    remainingNames = [...target.slice(isInside ? folder.length : 0).split('/'), ...rest]
  }
}

function systemError(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: '${path}'`), { code })
}
