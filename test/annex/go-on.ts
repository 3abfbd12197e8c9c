/** The channel on which a test says that a description may end. */
export const GO_ON = 'go on'
