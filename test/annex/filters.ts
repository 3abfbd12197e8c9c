/** What undoing a filter does in the thread of the tests, by the filter's number. */
export const FILTERS: readonly string[] = ['good', 'hangs', 'dies', 'damaged', 'behind']
