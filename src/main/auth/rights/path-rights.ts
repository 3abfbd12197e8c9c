import { memoize } from '../../../plan/memoize.ts'
import { createPatternSet, type PatternSet } from '../../patterns/pattern-set.ts'
import type { Rule } from '../directory/directory.ts'
import type { Rights } from './rights.ts'

/** What rights say of files. */
export interface PathRights {
  /**
   * Whether nothing can be read at a path of these names or below it, whatever is there. It is asked before the file system is, so that how
   * long an answer takes does not tell what is there.
   */
  isRefusedBelow(names: readonly string[]): boolean
  /** Whether all that may be found at a path of these names and below it may be read, wherever links lead. */
  isGrantedBelow(names: readonly string[]): boolean
  /** Decides files one after the other. What is found of a folder serves its other files: they should come together. */
  decider(): FileDecider
}

export interface FileDecider {
  /** Whether a file may be read by its path. `target`: its path without symbolic links, which denies apply to as well. */
  mayReadFile(path: string, target: string): boolean
  /** Whether a dataset that is a folder may be read. It has several paths: that of the folder, and that of its marker. */
  mayReadFolder(paths: readonly string[], targets: readonly string[]): boolean
}

/** What rights say of files. */
export const pathRightsOf = memoize(({ isEverything, rules }: Rights) =>
  isEverything ? ALL : ofRules(rules),
)

const ALL: PathRights = Object.freeze({
  isRefusedBelow: () => false,
  isGrantedBelow: () => true,
  decider: () => ({ mayReadFile: () => true, mayReadFolder: () => true }),
})

function ofRules(rules: readonly Rule[]): PathRights {
  const granted = createPatternSet(globsOf(rules, 'grant'))
  const denied = createPatternSet(globsOf(rules, 'deny'))
  return Object.freeze<PathRights>({
    isRefusedBelow: (names) => !granted.mayMatchBelow(names) || denied.coversBelow(names),
    // A deny of any path may be that behind a link.
    isGrantedBelow: (names) => denied.isEmpty && granted.coversBelow(names),
    decider: () => deciderOf(granted, denied),
  })
}

function deciderOf(granted: PatternSet, denied: PatternSet): FileDecider {
  const [isGranted, isDenied] = [granted.matcher(), denied.matcher()]
  return {
    mayReadFile: (path, target) =>
      isGranted(path) && !isDenied(path) && (target === path || !isDenied(target)),
    mayReadFolder: (paths, targets) =>
      paths.some(isGranted) && !paths.some(isDenied) && !targets.some(isDenied),
  }
}

/** The globs of the rules that apply to paths. */
function globsOf(rules: readonly Rule[], effect: Rule['effect']): readonly string[] {
  return rules.flatMap((rule) => {
    if (rule.effect !== effect || rule.target.kind === 'table') return []
    return [rule.target.kind === 'all' ? '**' : rule.target.glob]
  })
}
