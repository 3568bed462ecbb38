export const roleLabels = {
  owner: 'Owner',
  admin: 'Admin',
  approver: 'Approver',
  member: 'Member',
  viewer: 'Viewer',
} as const
