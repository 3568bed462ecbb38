export const brandPath = '/settings/branding'
