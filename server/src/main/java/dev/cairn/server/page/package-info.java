/**
 * The pages of the web server, as models. A room adds a page in three steps:
 *
 * <ol>
 *   <li>It implements {@link dev.cairn.server.page.PageSource}: {@code info()} names the page
 *       ({@code PageInfo.of("traffic", "Traffic", MenuGroup.CLUSTER, "Where the traffic goes.")}),
 *       and {@code build(request)} returns a {@link dev.cairn.server.page.Page} of sections: {@link
 *       dev.cairn.server.page.Section.Tiles}, {@link dev.cairn.server.page.Facts}, {@link
 *       dev.cairn.server.page.Table}, {@link dev.cairn.server.page.Timeline}, {@link
 *       dev.cairn.server.page.Section.TextBlock}, {@link dev.cairn.server.page.Section.Notice} and
 *       {@link dev.cairn.server.page.Figure}. It writes no HTML and no JSON: text is escaped in one
 *       place.
 *   <li>If the page has a picture that a script draws, it adds a {@link
 *       dev.cairn.server.page.Figure} that names the script. Scripts and other files are {@link
 *       dev.cairn.server.page.Asset}s: resources of the room's own package, served at {@code
 *       /static/NAME}. Data of another shape than a page (CSV, a matrix) is an {@link
 *       dev.cairn.server.page.Endpoint}.
 *   <li>The server that has the data returns them from {@code HostedServer.web()} as a {@link
 *       dev.cairn.server.page.WebParts}. Then {@code /traffic} is the page as HTML, {@code
 *       /api/v1/traffic} the same as JSON, and the menu has it.
 * </ol>
 *
 * <p>This package sorts, filters and pages tables by the parameters {@code TABLE.sort}, {@code
 * TABLE.filter}, {@code TABLE.page} and {@code TABLE.size}. Pages run on the web server's workers,
 * so they must not block for more than a second. They show no secrets, and change nothing. A change
 * is an {@link dev.cairn.server.page.Action}: it needs a setting, a confirmation and a POST from a
 * page of this server. This package depends on no other part of the server but its settings.
 */
package dev.cairn.server.page;
