import { fault } from '../../fault.ts'
import type { LinkTarget } from '../data/structures/groups/link-target.ts'

/** The most links to paths on the way to an object, as in the HDF5 library. */
const MAX_PATHS_FOLLOWED = 16

/** The most characters of a path that is followed, and the most names of all paths of a file. */
const MAX_PATH = 8192
const MAX_NAMES = 262_144

/**
 * A function that finds the address of the object that the link of a group leads to. Null: it leads to none in this file, or through
 * too many paths, as those do that lead in circles. `targetOf` is what a link leads to, null also if there is no such group or link.
 */
export function createLinkFollower(
  root: number,
  targetOf: (group: number, name: string) => LinkTarget,
): (group: number, name: string) => number | null {
  let namesFollowed = 0

  function addressOf(group: number, name: string, budget: { paths: number }): number | null {
    const target = targetOf(group, name)
    if (typeof target !== 'string') return target
    if (budget.paths === 0 || target.length > MAX_PATH) return null
    budget.paths--
    let address: number | null = target.startsWith('/') ? root : group
    for (const each of target.split('/')) {
      if (each === '' || each === '.') continue
      if (++namesFollowed > MAX_NAMES)
        throw fault(`the paths of its links have more than ${MAX_NAMES} names, which are not followed`)
      address = addressOf(address, each, budget)
      if (address === null) return null
    }
    return address
  }

  return (group, name) => addressOf(group, name, { paths: MAX_PATHS_FOLLOWED })
}
