package dev.cairn.server.page;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A request for a page.
 *
 * @param page the id of the page; empty for the overview
 * @param parameters the decoded parameters, in their order
 */
public record PageRequest(String page, Map<String, String> parameters) {
  /** Copies the parameters. */
  public PageRequest {
    parameters = new LinkedHashMap<>(parameters);
  }

  /** Returns a parameter; empty if it is absent. */
  public Optional<String> parameter(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  /** Returns a required parameter. */
  public String require(String name) throws PageException {
    return parameter(name)
        .orElseThrow(
            () -> PageException.badRequest("This page needs the parameter '" + name + "'."));
  }

  /** Returns the same request with another value of a parameter; an empty value removes it. */
  PageRequest with(String name, String value) {
    Map<String, String> changed = new LinkedHashMap<>(parameters);
    if (value.isEmpty()) {
      changed.remove(name);
    } else {
      changed.put(name, value);
    }
    return new PageRequest(page, changed);
  }

  /** Returns the address relative to the overview's, for example {@code table?name=t}. */
  String address() {
    return address(page, parameters);
  }

  static String address(String page, Map<String, String> parameters) {
    StringBuilder address = new StringBuilder(page.isEmpty() ? "." : page);
    char mark = '?';
    for (Map.Entry<String, String> parameter : parameters.entrySet()) {
      address
          .append(mark)
          .append(encoded(parameter.getKey()))
          .append('=')
          .append(encoded(parameter.getValue()));
      mark = '&';
    }
    return address.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
