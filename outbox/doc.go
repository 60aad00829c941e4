// Package outbox keeps messages until they are sent. A message that is in an outbox is neither lost
// nor sent twice by itself, whenever the program or the machine stops.
//
// [Outbox.Add] stores a message with its Message-ID. [Outbox.Send] sends it with a client and
// records the result. A message is in one of five states:
//
//   - Queued: it waits for Send. After a failure that may pass, it waits for a while before the next attempt.
//   - Sending: a process is sending it.
//   - Sent: the server has accepted it for all recipients. It is removed after Options.Keep.
//   - Failed: it is not sent again by itself. Some recipients may have got it, see Entry.Recipients.
//   - InDoubt: it was sent, but the result is unknown, because no response came or the program was stopped. Only the user can decide
//     whether to send it again.
//
// Before a scheme ends a message, it calls [scheme.Body.Pass], which writes to disk that the
// message may be sent from now on. A message whose sender is stopped before that is queued again.
// One whose sender is stopped later is in doubt.
//
// Each message is a file in a folder, with a line of JSON before the message and one for each event
// after it. A line is written to disk before the step that it announces, and has a checksum. A
// process that sends a message holds a lock on its file. The format has a version; files of a later
// version, damaged files and files of other users are reported and left alone.
//
//	box, err := outbox.Open(dir, outbox.Options{})
//	...
//	defer box.Close()
//	e, err := box.Add(outbox.Message{URL: u, ID: id, Recipients: to, Content: text})
//	...
//	e, err = box.Send(ctx, c, e.ID, outbox.SendOptions{})
package outbox
