// Package compose lets a user write a message: it runs the editor, opens the mail program of the
// desktop, and stores the message in the outbox. Package mailfmt completes the message.
package compose
