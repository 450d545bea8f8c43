package dev.cairn.bench.report;

import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;

/** Figures with as many digits as are worth reading. */
class Digits extends NumberFormat {
  @Override
  public StringBuffer format(double number, StringBuffer out, FieldPosition position) {
    return out.append(Spread.digits(number));
  }

  @Override
  public StringBuffer format(long number, StringBuffer out, FieldPosition position) {
    return format((double) number, out, position);
  }

  @Override
  public Number parse(String text, ParsePosition position) {
    throw new UnsupportedOperationException("Labels are not read");
  }
}
