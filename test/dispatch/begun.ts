/** The channel on which fake workers tell the key of each task that they begin. */
export const BEGUN = 'begun'
