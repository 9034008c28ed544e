"""What ingestion is compared with: `spark.read.schema(...).json` of newline JSON, written as Parquet.

Depends on: pyspark.  Never on: pillarbox.

Law: every member that the format gives a message has a column, and every column may be null.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

ENTITY: Final = (
    "STRUCT<type: STRING, text: STRING, href: STRING, user_id: BIGINT, document_id: STRING, language: STRING,"
    " collapsed: BOOLEAN>"
)
PLACE: Final = "STRUCT<latitude: DOUBLE, longitude: DOUBLE>"
CONTACT: Final = "STRUCT<first_name: STRING, last_name: STRING, phone_number: STRING>"
ANSWER: Final = "STRUCT<text: STRING, voters: INT, chosen: BOOLEAN>"
POLL: Final = f"STRUCT<question: STRING, closed: BOOLEAN, total_voters: INT, answers: ARRAY<{ANSWER}>>"
BUTTON: Final = (
    "STRUCT<type: STRING, text: STRING, data: STRING, dataBase64: STRING, forward_text: STRING,"
    " button_id: INT>"
)
RECENT: Final = "STRUCT<`from`: STRING, from_id: STRING, date: STRING>"
REACTION: Final = (
    f"STRUCT<type: STRING, count: INT, emoji: STRING, document_id: STRING, recent: ARRAY<{RECENT}>>"
)

#: A message with its chat. Numbers that the format writes as strings stay strings; `text`, which is a
#: string or an array, becomes a string as it stands.
COLUMNS: Final = f"""
    chat_id BIGINT, chat_type STRING, chat_name STRING,
    id BIGINT, type STRING, date STRING, date_unixtime STRING, edited STRING, edited_unixtime STRING,
    `from` STRING, from_id STRING, author STRING, forwarded_from STRING, forwarded_from_id STRING,
    saved_from STRING, reply_to_message_id BIGINT, reply_to_peer_id STRING, via_bot STRING,
    actor STRING, actor_id STRING, action STRING, title STRING, members ARRAY<STRING>, inviter STRING,
    message_id BIGINT, duration INT, discard_reason STRING, period INT, emoticon STRING,
    photo STRING, photo_file_size BIGINT, width INT, height INT, media_spoiler BOOLEAN,
    file STRING, file_name STRING, file_size BIGINT, thumbnail STRING, thumbnail_file_size BIGINT,
    media_type STRING, mime_type STRING, duration_seconds INT, self_destruct_period_seconds INT,
    performer STRING, sticker_emoji STRING,
    contact_information {CONTACT}, contact_vcard STRING, contact_vcard_file_size BIGINT,
    location_information {PLACE}, live_location_period_seconds INT, place_name STRING, address STRING,
    game_title STRING, game_description STRING, game_link STRING, invoice_information STRING, poll {POLL},
    text STRING, text_entities ARRAY<{ENTITY}>,
    inline_bot_buttons ARRAY<ARRAY<{BUTTON}>>, reactions ARRAY<{REACTION}>
"""


def plain_ingest(session: SparkSession, lines: Path, out: Path) -> None:
    """Read newline JSON and write it as Parquet into the folder `out`."""
    session.read.schema(COLUMNS).json(str(lines)).write.mode("overwrite").parquet(str(out))
