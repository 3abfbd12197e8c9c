/** Whether two lists have the same members, in any order and however often. */
export function sameMembers<T>(one: readonly T[], other: readonly T[]): boolean {
  const [ones, others] = [new Set(one), new Set(other)]
  return ones.size === others.size && one.every((each) => others.has(each))
}
