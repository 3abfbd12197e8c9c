import { type ArrayLayout, sameLayout } from '../../plan/source/array-layout.ts'

/** The distinct layouts of files. One may be there twice, if others came in between. */
export interface DistinctLayouts {
  /** The index of a layout among all. */
  indexOf(layout: ArrayLayout): number
  all(): readonly ArrayLayout[]
}

/** The most layouts that a file's is compared with, the last ones first. */
const COMPARED = 4

export function createDistinctLayouts(): DistinctLayouts {
  const all: ArrayLayout[] = []
  return {
    indexOf(layout) {
      for (let index = all.length - 1; index >= Math.max(0, all.length - COMPARED); index--) {
        const known = all[index]
        if (known !== undefined && sameLayout(known, layout)) return index
      }
      return all.push(layout) - 1
    },
    all: () => all,
  }
}
