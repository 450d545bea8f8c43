/**
 * {@code cairn sqlline}: the SQL prompt of Apache Phoenix. {@link
 * dev.cairn.launcher.sqlline.SqllineArguments} translates the arguments to those of the program
 * sqlline; {@link dev.cairn.launcher.sqlline.PhoenixUrl} makes the URL of Phoenix's JDBC driver.
 */
package dev.cairn.launcher.sqlline;
