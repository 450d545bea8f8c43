package dev.cairn.server.regionserver.page;

import dev.cairn.server.page.Action;
import dev.cairn.server.page.PageException;
import dev.cairn.server.page.PageRequest;
import java.util.List;

/** The actions that end running calls and open scanners. Thread-safe. */
final class EndActions {
  private static final String SCANNER = "end-scanner";
  private static final String CALL = "end-call";

  /** The link to the action that ends a scanner. */
  static final String SCANNER_ADDRESS = "actions/" + SCANNER;

  /** The link to the action that ends a call. */
  static final String CALL_ADDRESS = "actions/" + CALL;

  private final ServerActivity activity;

  EndActions(ServerActivity activity) {
    this.activity = activity;
  }

  List<Action> all() {
    return List.of(
        new Action(
            SCANNER,
            "End the scanner",
            "Closes an open scanner, and ends its running call before the next row. Its client gets"
                + " an UnknownScannerException at its next call. Apache's client then opens another"
                + " scanner after the last row that it has.",
            List.of(Action.Input.text("scanner", "Scanner")),
            "calls",
            this::endScanner),
        new Action(
            CALL,
            "End the call",
            "Ends a running scan before its next row, and closes its scanner; ends a batch before its"
                + " next get. The client's call fails with a DoNotRetryIOException. Writes go on.",
            List.of(Action.Input.text("client", "Client"), Action.Input.text("call", "Number")),
            "calls",
            this::endCall));
  }

  private String endScanner(PageRequest request) throws PageException {
    long id = number(request, "scanner");
    if (!activity.endScanner(id)) {
      throw PageException.notFound("There is no scanner " + id + "; it may have ended already.");
    }
    return "Scanner " + id + " was ended.";
  }

  private String endCall(PageRequest request) throws PageException {
    String client = request.require("client");
    int call = (int) number(request, "call");
    if (!activity.endCall(client, call)) {
      throw PageException.notFound(
          "There is no call " + call + " of " + client + " that can be ended; it may be over.");
    }
    return "Call " + call + " of " + client + " was told to end before its next row.";
  }

  private static long number(PageRequest request, String name) throws PageException {
    try {
      return Long.parseLong(request.require(name).strip());
    } catch (NumberFormatException e) {
      throw PageException.badRequest("'" + name + "' must be a number.");
    }
  }
}
