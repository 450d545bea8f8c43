package dev.cairn.server.page;

import dev.cairn.server.page.Section.Notice;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions of a web server, and the requests that may run them. There is no authentication yet,
 * so the settings allow all actions or none. Pages of other servers, which a browser has open,
 * cannot request them: a request needs the token that only pages of this server have, its {@code
 * Origin} must be this server, and its {@code Host} must be an address or a name of this machine.
 * The last check excludes pages whose own host name was made to lead here (DNS rebinding).
 * Thread-safe.
 */
final class Actions {
  /** The parameter with the token. */
  static final String TOKEN = "token";

  private static final Logger LOG = LoggerFactory.getLogger(Actions.class);
  private static final int TOKEN_BYTES = 16;

  private final Map<String, Action> actions = new LinkedHashMap<>();
  private final BooleanSupplier allowed;
  private final String token;

  /**
   * Creates the actions, with a new token.
   *
   * @param allowed whether the settings allow them; asked for each request
   */
  Actions(Collection<Action> actions, BooleanSupplier allowed) {
    for (Action action : actions) {
      if (this.actions.putIfAbsent(action.id(), action) != null) {
        throw new IllegalArgumentException("Two actions have the id " + action.id());
      }
    }
    this.allowed = allowed;
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    this.token = HexFormat.of().formatHex(random);
  }

  Optional<Action> find(String id) {
    return Optional.ofNullable(actions.get(id));
  }

  Collection<Action> all() {
    return actions.values();
  }

  boolean areAllowed() {
    return allowed.getAsBoolean();
  }

  String token() {
    return token;
  }

  /** Returns the page that asks for a confirmation, or explains why the action is not possible. */
  Page confirmation(Action action, Map<String, String> values) {
    return areAllowed()
        ? Page.of(action.title(), new ActionForm(action, values, token))
        : Page.of(action.title(), new Notice(Level.WARN, off()));
  }

  /**
   * Does an action.
   *
   * @return a sentence about the result
   * @throws PageException if the request is refused, or the action was not possible
   */
  String act(Action action, Map<String, String> form, WebSender sender, String serverHost)
      throws PageException {
    if (!areAllowed()) {
      throw PageException.forbidden(off());
    }
    sender.checkOwn(serverHost);
    byte[] given = form.getOrDefault(TOKEN, "").getBytes(StandardCharsets.UTF_8);
    if (!MessageDigest.isEqual(given, token.getBytes(StandardCharsets.UTF_8))) {
      throw PageException.forbidden(
          "The token is missing or of an earlier start of this server. Load the page again, or read"
              + " the token at /api/v1/actions.");
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (Action.Input input : action.inputs()) {
      values.put(input.name(), value(input, form));
    }
    String done = action.effect().apply(new PageRequest(action.address(), values));
    LOG.info("Action {} {} from {}: {}", action.id(), values, sender.address(), done);
    return done;
  }

  private static String value(Action.Input input, Map<String, String> form) throws PageException {
    String value = form.getOrDefault(input.name(), "");
    if (value.isEmpty()) {
      throw PageException.badRequest("This action needs the parameter '" + input.name() + "'.");
    }
    List<String> choices = input.choices();
    return choices.isEmpty()
        ? value
        : choices.stream()
            .filter(value::equalsIgnoreCase)
            .findFirst()
            .orElseThrow(
                () ->
                    PageException.badRequest(
                        "'" + input.name() + "' must be one of " + String.join(", ", choices)));
  }

  private static String off() {
    return "Actions are off on this server. Set "
        + PageKeys.ACTIONS.name()
        + " to true in hbase-site.xml, and restart the server or run update_all_config. Then anybody"
        + " who reaches this port can use them, because Cairn has no authentication yet.";
  }
}
