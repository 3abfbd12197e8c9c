import type { BigIntStats } from 'node:fs'
import { dirname } from 'node:path'
import { isBelow } from './mounts.ts'

/** Links that are followed on the way to one path, as in Linux (path_resolution(7)). */
const MOST_LINKS = 40

export interface Steps {
  /** Of a path that leads through no links. */
  lstat(location: string): Promise<BigIntStats>
  readlink(location: string): Promise<string>
  /** Where the way leads on from a place that is not to be looked at step by step; null: it is. */
  elsewhere(location: string, rest: readonly string[]): Promise<string> | null
}

/**
 * As `realpath(3)` of a path that is relative to a folder, which leads through no links, one name at a time: so it is known
 * before each step which file system will be asked. Rejects with the error of the step, or ELOOP.
 */
export async function realpathBySteps(folder: string, path: string, steps: Steps): Promise<string> {
  let at = folder
  let left = path.split('/')
  let links = 0
  for (;;) {
    const [name, ...rest] = left
    if (name === undefined) return at
    left = rest
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
    if (++links > MOST_LINKS) throw systemError('ELOOP', next)
    const target = await steps.readlink(next)
    const isInside = isBelow(folder, target)
    if (isInside) at = folder
    else if (target.startsWith('/')) at = '/'
    left = [...target.slice(isInside ? folder.length : 0).split('/'), ...rest]
  }
}

function systemError(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: '${path}'`), { code })
}
