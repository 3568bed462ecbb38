// The hidden field with the token that makes a form act once.
export const tokenField = 'form_token'
