export const noticesPath = '/notices'
