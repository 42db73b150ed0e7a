import type { ComponentType } from 'react'
import type { Guard } from './guards.tsx'

export interface RouteEntry {
  path: string
  /** The title of the browser tab. */
  title: string
  guard: Guard
  /** 'if-signed-in': the layout of the area that the path belongs to, or none for visitors. */
  layout: 'plain' | 'user' | 'admin' | 'if-signed-in'
  /** The page has a bar of its own in place of the one of its layout. */
  hasOwnBar?: true | undefined
  page: () => Promise<ComponentType>
}

/** All pages. Navigation links to other paths are hidden (known-paths.ts). */
export const routes: readonly RouteEntry[] = [
  {
    path: '/login',
    title: 'Sign in',
    guard: 'visitor',
    layout: 'plain',
    page: async () => (await import('#pages/login.tsx')).LoginPage,
  },
  {
    path: '/admin/login',
    title: 'Administrator sign-in',
    guard: 'visitor',
    layout: 'plain',
    page: async () => (await import('#pages/admin/login.tsx')).AdminLoginPage,
  },
  {
    path: '/sign-in/:issuerId',
    title: 'Signing in',
    guard: 'visitor',
    layout: 'plain',
    page: async () => (await import('#pages/sign-in.tsx')).SignInPage,
  },
  {
    path: '/verify-2fa',
    title: 'Enter your code',
    guard: 'pending-code',
    layout: 'plain',
    page: async () => (await import('#pages/verify-2fa.tsx')).VerifyPage,
  },
  {
    path: '/forgot-password',
    title: 'Forgot your password?',
    guard: 'visitor',
    layout: 'plain',
    page: async () => (await import('#pages/forgot-password.tsx')).ForgotPasswordPage,
  },
  {
    path: '/reset-password',
    title: 'Set a new password',
    guard: 'visitor',
    layout: 'plain',
    page: async () => (await import('#pages/reset-password.tsx')).ResetPasswordPage,
  },
  {
    path: '/register/:token?',
    title: 'Complete your registration',
    guard: 'open',
    layout: 'plain',
    page: async () => (await import('#pages/register.tsx')).RegisterPage,
  },
  {
    path: '/invite/:token?',
    title: 'Complete your registration',
    guard: 'open',
    layout: 'plain',
    page: async () => (await import('#pages/register.tsx')).InvitePage,
  },
  {
    path: '/dashboard',
    title: 'Your Channels',
    guard: 'signed-in',
    layout: 'user',
    page: async () => (await import('#pages/dashboard.tsx')).DashboardPage,
  },
  {
    path: '/profile',
    title: 'Profile Settings',
    guard: 'signed-in',
    layout: 'user',
    page: async () => (await import('#pages/profile.tsx')).ProfilePage,
  },
  {
    path: '/connect',
    title: 'Connect a program',
    guard: 'open',
    layout: 'if-signed-in',
    page: async () => (await import('#pages/connect.tsx')).ConnectPage,
  },
  {
    path: '/embed/:channelId/sign-in',
    title: 'Sign in to the chat',
    guard: 'open',
    layout: 'plain',
    page: async () => (await import('#pages/embedded-sign-in.tsx')).EmbeddedSignInPage,
  },
  {
    path: '/chatbot',
    title: 'Chatbot',
    guard: 'signed-in',
    layout: 'user',
    page: async () => (await import('#pages/chatbot.tsx')).ChatbotPage,
  },
  {
    path: '/test-theme',
    title: 'Theme',
    guard: 'open',
    layout: 'plain',
    page: async () => (await import('#pages/test-theme.tsx')).TestThemePage,
  },
  {
    path: '/channels/:id',
    title: 'Channel',
    guard: 'signed-in',
    layout: 'user',
    hasOwnBar: true,
    page: async () => (await import('#pages/channel.tsx')).ChannelPage,
  },
  {
    path: '/channels/:id/shared/:shareId',
    title: 'Shared chat',
    guard: 'signed-in',
    layout: 'user',
    page: async () => (await import('#pages/shared-chat.tsx')).SharedChatPage,
  },
  {
    path: '/admin',
    title: 'Administration',
    guard: 'admin',
    layout: 'admin',
    page: async () => (await import('#pages/admin/home.tsx')).AdminHomePage,
  },
  {
    path: '/admin/channels',
    title: 'Manage Channels',
    guard: 'canManageChannels',
    layout: 'admin',
    page: async () => (await import('#pages/admin/channels.tsx')).ChannelsPage,
  },
  {
    path: '/admin/documents',
    title: 'Manage Documents',
    guard: 'canManageDocuments',
    layout: 'admin',
    page: async () => (await import('#pages/admin/documents.tsx')).DocumentsPage,
  },
  {
    path: '/admin/users',
    title: 'Manage Users',
    guard: 'canManageUsers',
    layout: 'admin',
    page: async () => (await import('#pages/admin/users.tsx')).UsersPage,
  },
  {
    path: '/admin/users/:id',
    title: 'User',
    guard: 'canManageUsers',
    layout: 'admin',
    page: async () => (await import('#pages/admin/user.tsx')).UserPage,
  },
  {
    path: '/admin/groups',
    title: 'Groups',
    guard: 'canManageUsers',
    layout: 'admin',
    page: async () => (await import('#pages/admin/groups.tsx')).GroupsPage,
  },
  {
    path: '/admin/groups/:id',
    title: 'Group',
    guard: 'canManageUsers',
    layout: 'admin',
    page: async () => (await import('#pages/admin/group.tsx')).GroupPage,
  },
  {
    path: '/admin/chat-history',
    title: 'Chat History',
    guard: 'canViewChatHistory',
    layout: 'admin',
    page: async () => (await import('#pages/admin/chat-history.tsx')).ChatHistoryPage,
  },
  {
    path: '/admin/chat-history/:id',
    title: 'Chat',
    guard: 'canViewChatHistory',
    layout: 'admin',
    page: async () => (await import('#pages/admin/chat-history-detail.tsx')).ChatHistoryDetailPage,
  },
  {
    path: '/admin/audit-log',
    title: 'Audit Log',
    guard: 'canViewAuditLog',
    layout: 'admin',
    page: async () => (await import('#pages/admin/audit-log.tsx')).AuditLogPage,
  },
  {
    path: '/admin/analytics',
    title: 'Analytics',
    guard: 'canViewAnalytics',
    layout: 'admin',
    page: async () => (await import('#pages/admin/analytics.tsx')).AnalyticsPage,
  },
  {
    path: '/admin/settings',
    title: 'Settings',
    guard: 'admin',
    layout: 'admin',
    page: async () => (await import('#pages/admin/settings.tsx')).SettingsPage,
  },
  {
    path: '*',
    title: 'Page not found',
    guard: 'open',
    layout: 'if-signed-in',
    page: async () => (await import('#pages/not-found.tsx')).NotFoundPage,
  },
]
