/** The items of users: a row for each item, for each user, or for a user and a day. */
package dev.cairn.studies.tall;
